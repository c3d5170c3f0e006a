import { defaultEvictionSettings as eviction } from '../eviction/eviction-settings.ts';
import { choice, concurrency, count, milliseconds, resync, section, texts, type Section } from './config-section.ts';
import type { EvictionConfig } from './operator-config.ts';

const { limits } = eviction;

export const evictionSection: Section<EvictionConfig> = section({
  concurrency: concurrency(eviction.concurrency),
  limits: section({
    perHost: count(limits.perHost, 'how many instances leave one host at a time'),
    perTarget: count(limits.perTarget, 'how many move to one host at a time'),
    overall: count(limits.overall, 'how many move at a time in all'),
    perTrait: texts([], 'lower limits for hosts and instances with a trait, such as CUSTOM_SLOW=2'),
    attempts: count(limits.attempts, 'how often one instance is tried'),
    retryPauseMs: milliseconds(limits.retryPauseMs, 'how long, in ms, an instance is left alone after a failure'),
    liveTimeoutMs: milliseconds(limits.liveTimeoutMs, 'how long, in ms, a live move may take before it is stopped'),
    coldTimeoutMs: milliseconds(limits.coldTimeoutMs, 'how long, in ms, a cold move or its confirmation may take'),
    graceMs: milliseconds(limits.graceMs, 'how long, in ms, to wait for the record of a move that was asked for'),
    abortTimeoutMs: milliseconds(limits.abortTimeoutMs, 'how long, in ms, a move may take to stop when it is told to'),
    busyTimeoutMs: milliseconds(
      limits.busyTimeoutMs,
      'how long, in ms, to wait for an instance that is being built, deleted or copied',
    ),
    coldMovesOfRunning: choice(
      ['allowed', 'forbidden'],
      limits.coldMovesOfRunning,
      'whether instances that cannot move while they run may be stopped for it',
    ),
    lockedInstances: choice(['move', 'leave'], limits.lockedInstances, 'what becomes of instances that are locked'),
  }),
  pollMs: milliseconds(eviction.pollMs, 'how often, in ms, to look while something moves or waits'),
  firstLookMs: milliseconds(eviction.firstLookMs, 'how soon, in ms, to look after a move was begun'),
  resyncMs: resync(eviction.resyncMs),
  preflightMs: milliseconds(eviction.preflightMs, 'how long, in ms, what is known of possible targets is good for'),
  preflight: choice(
    ['strict', 'best-effort'],
    eviction.preflight,
    'strict: nothing moves while there is no room for all; best-effort: those move that can',
  ),
  onCancel: choice(['abort', 'finish'], eviction.onCancel, 'what becomes of moves when their Eviction is deleted'),
  cancelTimeoutMs: milliseconds(eviction.cancelTimeoutMs, 'how long, in ms, a deleted Eviction waits for that'),
  timeoutMs: milliseconds(eviction.timeoutMs, 'how long, in ms, one look may take'),
});
