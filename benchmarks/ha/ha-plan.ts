/** How much is measured. */
export interface HaPlan {
  readonly flood: FloodPlan;
  readonly fleet: FleetPlan;
  readonly decision: DecisionPlan;
  readonly rescue: RescuePlan;
  readonly masakari: MasakariPlan;
}

/** Agents that send as fast as they are answered. */
export interface FloodPlan {
  readonly agents: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** Agents that report as they do in a fleet. */
export interface FleetPlan {
  readonly hosts: number;
  readonly intervalMs: number;
  readonly seconds: number;
}

export interface DecisionPlan {
  readonly hosts: number;
  readonly warmUps: number;
  readonly rounds: number;
}

export interface RescuePlan {
  readonly rounds: number;
  /** How long the management controller takes to cut the power. */
  readonly powerOffMs: number;
  /** How long the cloud takes to rebuild an instance. */
  readonly evacuationMs: number;
}

/** Notifications to masakari-api, by so many senders at a time. */
export interface MasakariPlan {
  readonly senders: number;
  readonly seconds: number;
}

/** A full run takes six minutes or so, a quick one two. */
export function planHa(isQuick: boolean): HaPlan {
  const rescue = { powerOffMs: 1_000, evacuationMs: 200 };
  if (isQuick) {
    return {
      flood: { agents: 500, seconds: 3, rounds: 2 },
      fleet: { hosts: 1_000, intervalMs: 10_000, seconds: 15 },
      decision: { hosts: 10_000, warmUps: 10, rounds: 50 },
      rescue: { ...rescue, rounds: 1 },
      masakari: { senders: 8, seconds: 3 },
    };
  }
  return {
    flood: { agents: 1_000, seconds: 10, rounds: 5 },
    fleet: { hosts: 10_000, intervalMs: 10_000, seconds: 60 },
    decision: { hosts: 10_000, warmUps: 20, rounds: 200 },
    rescue: { ...rescue, rounds: 3 },
    masakari: { senders: 8, seconds: 10 },
  };
}
