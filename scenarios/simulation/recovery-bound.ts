import type { EngineSettings } from '@smalt/ha-service';

/** How long Nova takes at most to find a host for a server, to rebuild it there, and to note that. */
const NOVA_REBUILD_MS = 4_000 + 40_000 + 3_000;
/** How long the calls of one look, or of one pass over an incident, take together while all is well. */
const CALLS_MS = 5_000;
/** How many answers may be lost on the way, each for as long as a call may take. */
const LOST_ANSWERS = 3;

/**
 * How long it takes at most until the machines of a dead host run elsewhere, when nothing stands in the way: detection,
 * agreement, fence, readings, and what Nova needs.
 */
export function recoveryBoundMs(settings: EngineSettings, servers: number): number {
  const { judgement, recovery, brakes } = settings.detection;
  const { rules } = judgement;
  const lookMs = settings.lookIntervalMs + CALLS_MS;
  const statementMs = settings.serviceDownMs + settings.refreshIntervalMs + rules['compute-service'].deadAfterMs;
  const required = judgement.requiredSources.map((source) => rules[source].deadAfterMs);
  const detectionMs = Math.max(statementMs, rules['node-lease'].deadAfterMs, ...required) + judgement.agreeMs;
  // One look finds out how many instances it has, one opens the incident, one agrees.
  const agreementMs = 3 * lookMs + brakes.intervalMs;
  const fenceMs = recovery.fenceTimeoutMs + CALLS_MS;
  const forceDownMs = 2 * lookMs + 2 * recovery.repeatMs;
  const rounds = Math.ceil(servers / recovery.parallelRebuilds);
  const rebuildMs = NOVA_REBUILD_MS + 2 * lookMs;
  // One of them may fail and is tried again.
  const rebuildsMs = (rounds + 1) * rebuildMs + recovery.retryDelayMs + lookMs;
  return detectionMs + agreementMs + fenceMs + forceDownMs + rebuildsMs + LOST_ANSWERS * settings.callTimeoutMs;
}
