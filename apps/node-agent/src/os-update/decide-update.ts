import type { UpdateMemory } from './update-memory.ts';

/** Stands for the newest version there is, whichever that may be. */
export const LATEST = 'latest';
const LONGEST_VERSION = 128;
/** What may stand in the name of a unit as it is; the rest would have to be escaped, or means something to systemd. */
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

export interface UpdateView {
  /** `spec.version`; empty: none. */
  readonly version: string;
  /** Whether to reboot into it. */
  readonly reboot: boolean;
  /** The version of the operating system that runs. */
  readonly running: string | undefined;
  readonly memory: UpdateMemory;
  readonly bootId: string;
  readonly nowMs: number;
  readonly tries: number;
  /** How long to wait after a first failure; each further one doubles it. */
  readonly retryMs: number;
}

export type UpdateStep =
  | { readonly kind: 'idle' }
  | { readonly kind: 'refuse'; readonly why: string }
  | { readonly kind: 'installed' }
  | { readonly kind: 'reboot' }
  | { readonly kind: 'wait'; readonly milliseconds: number; readonly why: string }
  | { readonly kind: 'give-up'; readonly why: string }
  | { readonly kind: 'update'; readonly unit: string };

/** Decides what is to be done about the version that is wanted. */
export function decideUpdate(view: UpdateView): UpdateStep {
  const { version, memory } = view;
  if (version === '') return { kind: 'idle' };
  const why = versionProblem(version);
  if (why !== undefined) return { kind: 'refuse', why };
  if (version === view.running) return { kind: 'installed' };
  if (version === memory.installed) {
    return { kind: view.reboot && memory.installedInBoot === view.bootId ? 'reboot' : 'installed' };
  }
  return memory.version === version ? nextTry(view) : { kind: 'update', unit: unitFor(version) };
}

/** Why a text cannot be a version, if it cannot. Nothing else may become part of the name of a unit. */
export function versionProblem(version: string): string | undefined {
  if (version.length > LONGEST_VERSION) return `spec.version: longer than ${LONGEST_VERSION} characters`;
  if (VERSION.test(version)) return undefined;
  const shown = JSON.stringify(version.slice(0, LONGEST_VERSION));
  return `spec.version: ${shown} is not a version: use letters, digits and . _ : - only, a letter or digit first`;
}

export function unitFor(version: string): string {
  return version === LATEST ? 'systemd-sysupdate.service' : `systemd-sysupdate@${version}.service`;
}

function nextTry({ version, memory, nowMs, tries, retryMs }: UpdateView): UpdateStep {
  const { failure, triesLeft } = memory;
  if (failure === undefined) return { kind: 'update', unit: unitFor(version) };
  if (triesLeft <= 0) return { kind: 'give-up', why: failure.message };
  const delayMs = retryMs * 2 ** Math.max(0, tries - triesLeft - 1);
  const sinceMs = nowMs - failure.atMs;
  // A clock that was set back must not make us wait for the day the failure seems to be on.
  if (sinceMs < 0 || sinceMs >= delayMs) return { kind: 'update', unit: unitFor(version) };
  return { kind: 'wait', milliseconds: delayMs - sinceMs, why: failure.message };
}
