import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, type ReactElement } from 'react';

import { GRAPH_HEIGHT_PX, type GraphProps } from './graph-props.ts';
import classes from './graph.module.css';

const GraphCanvas = lazy(async () => ({ default: (await import('./graph-canvas.tsx')).GraphCanvas }));

/** Values over time. The latest ones stand in words beside the title. */
export function Graph(props: GraphProps): ReactElement {
  const { title, series, format } = props;
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <Text fw={600} size="sm" span>
          {title}
        </Text>
        {series.map(({ label, values }, index) => (
          <span key={label} className={classes.latest} data-series={index}>
            {series.length === 1 ? '' : `${label} `}
            {latestWords(values, format)}
          </span>
        ))}
      </figcaption>
      <Suspense fallback={<Skeleton height={GRAPH_HEIGHT_PX} />}>
        <GraphCanvas {...props} />
      </Suspense>
    </figure>
  );
}

function latestWords(values: readonly (number | null)[], format: (value: number) => string): string {
  const latest = values.findLast((value) => value !== null);
  return latest === undefined || latest === null ? '–' : format(latest);
}
