import 'uplot/dist/uPlot.min.css';

import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, type ReactElement } from 'react';
import UPlot from 'uplot';

import { timeWords } from '../time-words.ts';
import { GRAPH_HEIGHT_PX, type GraphProps } from './graph-props.ts';
import classes from './graph.module.css';

const COLOURS = ['--smalt-busy', '--smalt-warning', '--smalt-good', '--smalt-bad'] as const;

/** The picture of a graph; what it says is said in words by what holds it. */
export function GraphCanvas(props: GraphProps): ReactElement {
  // Colours are read once, so other colours are another picture.
  const scheme = useComputedColorScheme('light');
  return <Canvas key={scheme} {...props} />;
}

function Canvas({ times, series, format, most, least = 1, isBytes = false }: GraphProps): ReactElement {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const labels = series.map(({ label }) => label).join('\n');
  useEffect(() => {
    const element = holder.current;
    if (element === null) return undefined;
    const options = plotOptions(element, labels.split('\n'), { format, most, least, isBytes });
    const made = new UPlot(options, [[]], element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: GRAPH_HEIGHT_PX }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [labels, format, most, least, isBytes]);
  useEffect(() => {
    plot.current?.setData([times.map((time) => time / 1000), ...series.map(({ values }) => [...values])]);
  });
  return <div ref={holder} className={classes.canvas} aria-hidden="true" />;
}

interface Scale extends Pick<GraphProps, 'format' | 'most'> {
  readonly least: number;
  readonly isBytes: boolean;
}

function plotOptions(element: HTMLElement, labels: readonly string[], scale: Scale): UPlot.Options {
  const { format, most, least, isBytes } = scale;
  const colour = (name: string): string => resolveColour(element, name);
  const axis = {
    stroke: colour('--smalt-quiet'),
    grid: { stroke: colour('--smalt-line'), width: 1 },
    ticks: { show: false },
  };
  const values = (_plot: UPlot, shown: readonly number[]): string[] => shown.map((value) => format(value));
  return {
    width: Math.max(1, element.clientWidth),
    height: GRAPH_HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: { range: (_plot, _low, high) => [0, most ?? Math.max(least, (high ?? 0) * 1.1)] } },
    axes: [
      { ...axis, size: 28, space: 80, values: (_plot, shown) => shown.map((seconds) => timeWords(1000 * seconds)) },
      { ...axis, size: 72, space: 28, values, ...(isBytes ? { incrs: POWERS_OF_TWO } : {}) },
    ],
    series: [
      {},
      ...labels.map((label, index) => ({
        label,
        stroke: colour(COLOURS[index % COLOURS.length] ?? COLOURS[0]),
        width: 1.5,
        points: { show: false },
      })),
    ],
  };
}

const POWERS_OF_TWO = Array.from({ length: 50 }, (_, exponent) => 2 ** exponent);

// A canvas knows neither variables nor light-dark(): the browser is asked what comes out of them.
function resolveColour(element: HTMLElement, variable: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
