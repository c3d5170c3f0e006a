export {
  describeIdentity,
  hasEnded,
  isRunningHere,
  ownIdentity,
  parseIdentity,
  printIdentity,
  type AgentIdentity,
} from './agent/agent-identity.ts';
export type { AgentPart } from './agent/agent-part.ts';
export { describeApiFailure, isRefusal, type ApiFailure } from './agent/api-failure.ts';
export { ApiOutages } from './agent/api-outages.ts';
export { openAgentClient, type AgentClientOptions } from './agent/open-agent-client.ts';
export {
  NodeClaim,
  type LeaseTimes,
  type LockPlace,
  type NodeClaimOptions,
  type Obstacle,
} from './agent/node-claim.ts';
export { ownLockPlace } from './agent/own-lock-place.ts';
export { OutageLog, type Failure } from './agent/outage-log.ts';
export { runPart, type PartSupervision } from './agent/run-part.ts';
export { runTogether, type Task } from './agent/run-together.ts';
export { WakeUp } from './agent/wake-up.ts';
export { WriteBudget, type WriteBudgetOptions } from './agent/write-budget.ts';
export { backOffMs, pauseMs } from './agent/write-pace.ts';
export { AwaitedWrites } from './awaited-writes.ts';
export { systemClock, type Clock } from './clock.ts';
export {
  findCondition,
  isConditionTrue,
  withCondition,
  type ConditionContext,
  type ConditionStatement,
} from './condition.ts';
export { ControllerManager, type ControllerManagerOptions } from './controller-manager.ts';
export {
  Controller,
  mappedSource,
  ownedSource,
  readSource,
  source,
  type ControllerOptions,
  type ControllerSource,
  type KeyMapper,
  type Reconcile,
} from './controller.ts';
export { countClientRequests } from './count-client-requests.ts';
export { EventRecorder, type EventClient, type RecorderOptions } from './event-recorder.ts';
export { eventKind, type EventObject } from './event.ts';
export { Informer, type ChangeHandler, type InformerLists, type InformerOptions } from './informer.ts';
export { Informers } from './informers.ts';
export { LeaderElection, type LeaderElectionOptions, type LeaseClient, type LeaseHolder } from './leader-election.ts';
export { leaseKind, type Lease } from './lease.ts';
export type { Indexer, ObjectChange, ObjectReader } from './object-cache.ts';
export { keyOf, splitKey, type ObjectKey } from './object-key.ts';
export { awaitWrite, catchUp, done, requeueAfter, type Outcome } from './outcome.ts';
export { BackOff, type BackOffOptions, type RateLimiter } from './rate-limiter.ts';
export { shareStructure } from './share-structure.ts';
export { StatusWriter } from './status-writer.ts';
export { WorkQueue, type QueueObserver, type WorkQueueOptions } from './work-queue.ts';
