export interface TaintSettings {
  readonly concurrency: number;
  /** Hypervisors count as changed by hand when a manager of their fields begins so. */
  readonly manualManagerPrefix: string;
}

export const defaultTaintSettings: TaintSettings = { concurrency: 4, manualManagerPrefix: 'kubectl' };
