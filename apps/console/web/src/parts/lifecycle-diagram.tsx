import { useId, type ReactElement } from 'react';

import classes from './lifecycle-diagram.module.css';
import { BOX, layOutLifecycle, type LifecycleEdge, type LifecycleState } from './lifecycle-layout.ts';
import type { Tone } from './status-badge.tsx';

export interface LifecycleDiagramProps {
  /** What lives here, such as `Life of host-1`. */
  readonly label: string;
  readonly states: readonly LifecycleState[];
  readonly edges: readonly LifecycleEdge[];
  /** The name of the state it is in. */
  readonly current: string | undefined;
  readonly tone?: Tone;
}

/** The states something goes through, with the present one lit. */
export function LifecycleDiagram({
  label,
  states,
  edges,
  current,
  tone = 'busy',
}: LifecycleDiagramProps): ReactElement {
  const { boxes, lines, width, height } = layOutLifecycle(states, edges);
  const id = useId();
  const now = states.find(({ name }) => name === current)?.label ?? 'unknown';
  return (
    <div className={classes.frame}>
      <svg
        className={classes.diagram}
        viewBox={`0 0 ${width} ${height}`}
        style={{ maxWidth: width }}
        role="img"
        aria-label={`${label}: now ${now}, of ${states.map((state) => state.label).join(', ')}`}
      >
        <defs>
          <marker
            id={id}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0L8 4L0 8z" className={classes.head} />
          </marker>
        </defs>
        {lines.map((line) => (
          <path key={line.id} d={line.path} className={classes.edge} markerEnd={`url(#${id})`} />
        ))}
        {boxes.map((box) => (
          <g key={box.name} className={classes.state} data-tone={tone} data-current={box.name === current}>
            <rect x={box.x} y={box.y} width={BOX.width} height={BOX.height} rx={5} />
            <text x={box.x + BOX.width / 2} y={box.y + BOX.height / 2} textAnchor="middle" dominantBaseline="central">
              {box.label}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
