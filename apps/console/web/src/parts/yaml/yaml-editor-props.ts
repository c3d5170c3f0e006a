import type { TextProblem } from './place-causes.ts';

export interface YamlEditorProps {
  readonly label: string;
  readonly value: string;
  /** Without it the text can only be read. */
  readonly onChange?: ((value: string) => void) | undefined;
  /** Shown at their lines. */
  readonly problems?: readonly TextProblem[];
}
