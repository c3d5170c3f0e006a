export type { LeaderElectionPlace, Scheduler, SchedulerOptions } from './scheduler-options.ts';
export { loadSchedulerConfig, schedulerFields } from './settings/load-scheduler-config.ts';
export type { SchedulerConfig } from './settings/scheduler-config.ts';
export { startScheduler } from './start-scheduler.ts';
