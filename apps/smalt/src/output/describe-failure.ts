import { inspect } from 'node:util';

import { isKubeError, type KubeError, type KubeErrorCode } from '@smalt/kube';

import { printableText } from '../printable-text.ts';
import { exitCodeOf, ExitCode } from './exit-code.ts';

/** What a person is told of a command that failed, and what a script is. */
export interface Failure {
  /** Safe on a terminal, whoever wrote what it repeats. Empty where it was said already. */
  readonly text: string;
  readonly exitCode: ExitCode;
}

const NEXT_STEPS: Partial<Record<KubeErrorCode, string>> = {
  connection: 'is the cluster up? smalt doctor looks; --kubeconfig and --context choose another one',
  forbidden: 'ask for a role that allows it, or use another --kubeconfig or --context',
  unauthorized: 'what the kubeconfig shows is not known there, or has expired: get a new one',
  timeout: 'the API server is silent; try again, or look with smalt doctor',
  'bad-config': 'give another with --kubeconfig; smalt up prints its own',
};

/** Says what became of a command, whatever it threw. */
export function describeFailure(error: unknown): Failure {
  const usage = usageFailure(error);
  if (usage !== undefined) return usage;
  const exitCode = exitCodeOf(error);
  // Messages repeat what others wrote into names, conditions and answers; lines are what we make ourselves.
  return { text: wordsOf(error).split('\n').map(printableText).join('\n'), exitCode };
}

function wordsOf(error: unknown): string {
  if (isKubeError(error)) return withNextStep(error);
  // An error with a code says in one sentence what is wrong, so that its stack would only be in the way.
  return error instanceof Error && 'code' in error ? error.message : inspect(error);
}

function withNextStep(error: KubeError): string {
  const next = NEXT_STEPS[error.code];
  return next === undefined ? error.message : `${error.message}\n${next}`;
}

/** The parser of flags has said already what is wrong; help and versions are no failures. */
function usageFailure(error: unknown): Failure | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !code.startsWith('commander.')) return undefined;
  const isAnswer = error instanceof Error && 'exitCode' in error && error.exitCode === 0;
  return { text: '', exitCode: isAnswer ? ExitCode.done : ExitCode.wrongUse };
}
