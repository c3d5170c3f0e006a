import type { Tone } from '../../parts/status-badge.tsx';
import type { Incident, Judgement, WatchedHost } from './fleet-objects.ts';

/** Something in words, and what to make of it. */
export interface Words {
  readonly words: string;
  readonly tone: Tone;
}

const SOURCES: Readonly<Record<string, string>> = {
  agent: 'its agent',
  'node-lease': 'its node lease',
  'compute-service': 'its compute service',
  libvirt: 'its libvirt',
  storage: 'its storage',
  bmc: 'its management controller',
};

/** Where a sign of life comes from, in words. */
export function sourceWords(source: string): string {
  return SOURCES[source] ?? source;
}

/** What the service thinks of a host. */
export function judgementWords(judgement: Judgement | null): Words {
  switch (judgement?.kind) {
    case 'alive':
      return { words: judgement.isRebooted ? 'Alive, has rebooted' : 'Alive', tone: 'good' };
    case 'suspect':
      return { words: `Suspect: ${listed(judgement.dead)} is silent, others say nothing`, tone: 'warning' };
    case 'condemned':
      return { words: `Lost: ${listed(judgement.by)} agree`, tone: 'bad' };
    case 'unknown':
      return { words: 'Unknown: nothing can be heard of it', tone: 'warning' };
    case undefined:
      return { words: 'Not judged here', tone: 'quiet' };
  }
}

/** The same in one word, for a picture. */
export function judgementStateWords(kind: string): Words {
  return JUDGEMENTS[kind] ?? { words: kind, tone: 'quiet' };
}

const JUDGEMENTS: Readonly<Record<string, Words>> = {
  alive: { words: 'alive', tone: 'good' },
  suspect: { words: 'suspect', tone: 'warning' },
  condemned: { words: 'lost', tone: 'bad' },
  unknown: { words: 'unknown', tone: 'quiet' },
};

/** Why nothing would be done for a host, or is not done now; undefined when nothing stands in the way. */
export function obstacleWords({ isSwitchedOn, heldBy, lastRefusal }: WatchedHost): string | undefined {
  if (isSwitchedOn === false) return 'High availability is switched off for it.';
  if (heldBy !== null) return `It is held until somebody releases incident ${heldBy}.`;
  return lastRefusal?.message;
}

/** Whether something would be done for a host that is lost. */
export function guardWords({ isSwitchedOn }: Pick<WatchedHost, 'isSwitchedOn'>): string {
  if (isSwitchedOn === null) return 'as its Hypervisor says';
  return isSwitchedOn ? 'yes' : 'no';
}

const SIGNALS: Readonly<Record<string, Words>> = {
  alive: { words: 'alive', tone: 'good' },
  doubtful: { words: 'late', tone: 'warning' },
  dead: { words: 'dead', tone: 'bad' },
  blind: { words: 'not heard', tone: 'quiet' },
};

/** What one source says of a host. */
export function signalWords(state: string): Words {
  return SIGNALS[state] ?? { words: state, tone: 'quiet' };
}

/** What all sources say of a host: of those that do not say that it lives each by its name. */
export function signalsWords({ judgement, signals }: Pick<WatchedHost, 'judgement' | 'signals'>): Words {
  const others = signals.filter(({ state }) => state !== 'alive');
  if (judgement === null && signals.length === 0) return { words: 'not known here', tone: 'quiet' };
  if (signals.length === 0) return { words: 'nothing heard yet', tone: 'quiet' };
  if (others.length === 0) return { words: `all ${signals.length} alive`, tone: 'good' };
  const isDead = others.some(({ state }) => state === 'dead');
  const words = others.map(({ source, state }) => `${sourceWords(source)} ${signalWords(state).words}`).join(', ');
  return { words, tone: isDead ? 'bad' : 'warning' };
}

const INCIDENTS: Readonly<Record<string, Words>> = {
  detected: { words: 'Lost, a second look is taken', tone: 'bad' },
  fencing: { words: 'Being powered off', tone: 'bad' },
  'forcing-down': { words: 'Proved to be off', tone: 'busy' },
  rebuilding: { words: 'Machines are being rebuilt', tone: 'busy' },
  recovered: { words: 'Recovered', tone: 'good' },
  acquitted: { words: 'Showed life, nothing was done', tone: 'quiet' },
  closed: { words: 'Closed by a person', tone: 'quiet' },
  failed: { words: 'Some machines were not rebuilt', tone: 'bad' },
};

/** How far an incident is. */
export function incidentWords({ state, needsPerson }: Pick<Incident, 'state' | 'needsPerson'>): Words {
  const { words, tone } = INCIDENTS[state] ?? { words: state, tone: 'quiet' };
  return needsPerson ? { words: `${words}: waits for a person`, tone: 'bad' } : { words, tone };
}

const REBUILDS: readonly (readonly [string, string])[] = [
  ['rebuilt', 'rebuilt'],
  ['asked', 'under way'],
  ['pending', 'waiting'],
  ['failed', 'failed'],
  ['skipped', 'left alone'],
  ['gone', 'gone by themselves'],
];

/** What became of the machines of a host, such as `3 rebuilt, 1 waiting`. */
export function rebuildWords(counts: Readonly<Record<string, number>>): string {
  const parts = REBUILDS.flatMap(([state, words]) => {
    const count = counts[state] ?? 0;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return parts.length === 0 ? 'none known' : parts.join(', ');
}

function listed(sources: readonly string[]): string {
  const words = sources.map(sourceWords);
  return words.length < 2 ? (words[0] ?? 'nothing') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
