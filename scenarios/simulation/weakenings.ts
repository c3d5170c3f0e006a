import type { EngineSettings } from '@smalt/ha-service';

import type { Weakening } from './stage.ts';

/** The fence is believed: whatever the power is, it reads as off. */
export const believedFence: Weakening = {
  ports: (ports) => ({
    ...ports,
    power: {
      ...ports.power,
      readPower: async (host, method, signal) => {
        const reading = await ports.power.readPower(host, method, signal).catch(() => ({ session: ports.newId() }));
        return { ...reading, power: 'off' };
      },
    },
  }),
};

/** One reading of off is enough. */
export const singleReading: Weakening = withDetection((detection) => ({
  ...detection,
  recovery: { ...detection.recovery, offReadings: 1 },
}));

/** One signal is enough. */
export const singleSignal: Weakening = withDetection((detection) => ({
  ...detection,
  judgement: { ...detection.judgement, signalsNeeded: 1, requiredSources: [], agreeMs: 0 },
}));

/** Any number of hosts may go at once. */
export const anyNumber: Weakening = withDetection((detection) => ({
  ...detection,
  brakes: { ...detection.brakes, maximumMissing: 1_000, maximumMissingShare: 1 },
}));

/** The service judges from its first moment. */
export const noWarmUp: Weakening = withDetection((detection) => ({
  ...detection,
  brakes: { ...detection.brakes, warmUpMs: 0 },
}));

/** It does not notice when the compute system is out of reach: what it last heard is as good as new. */
export const noSight: Weakening = {
  ports: (ports) => {
    let last: Awaited<ReturnType<typeof ports.compute.hosts.list>> = [];
    const list: typeof ports.compute.hosts.list = async (signal) => {
      last = await ports.compute.hosts.list(signal).catch(() => last);
      return last;
    };
    return { ...ports, compute: { ...ports.compute, hosts: { ...ports.compute.hosts, list } } };
  },
};

/** What a person has written about a host is not looked at. */
export const noMaintenance: Weakening = {
  ports: (ports) => ({
    ...ports,
    cluster: {
      ...ports.cluster,
      view: () => {
        const view = ports.cluster.view();
        return { ...view, hosts: view.hosts.map((host) => ({ ...host, maintenance: '' })) };
      },
      setMaintenance: () => Promise.resolve(),
    },
  }),
};

/** `highAvailability: false` is not looked at. */
export const alwaysAvailable: Weakening = {
  ports: (ports) => ({
    ...ports,
    cluster: {
      ...ports.cluster,
      view: () => {
        const view = ports.cluster.view();
        return { ...view, hosts: view.hosts.map((host) => ({ ...host, isHighlyAvailable: true })) };
      },
    },
  }),
};

/** Nobody can pause it. */
export const noPause: Weakening = {
  ports: (ports) => ({
    ...ports,
    store: {
      ...ports.store,
      switches: async (signal) => {
        await ports.store.switches(signal);
        return { isPaused: false, isDryRun: false };
      },
    },
  }),
};

/** A request without an answer is made again at once. */
export const noGrace: Weakening = withDetection((detection) => ({
  ...detection,
  recovery: { ...detection.recovery, graceMs: 0 },
}));

/** Records of evacuations are not looked for. */
export const noRecords: Weakening = {
  ports: (ports) => ({
    ...ports,
    compute: { ...ports.compute, evacuations: { ...ports.compute.evacuations, list: () => Promise.resolve([]) } },
  }),
};

/** Whoever saves last wins: nobody learns that another has taken over. */
export const noRevisions: Weakening = {
  ports: (ports, stage) => ({
    ...ports,
    store: {
      ...ports.store,
      incidents: {
        ...ports.store.incidents,
        save: async (incident, entries, signal) => {
          const answer = await ports.store.incidents.save(incident, entries, signal);
          if (answer === 'overtaken') stage.store.incidents.set(incident.id, incident);
          return 'stored';
        },
      },
    },
  }),
};

/** And the clock stands still with its process, so that nothing tells it how late it is. */
export const staleLeader: Weakening = {
  ports: (ports, stage, process) => ({
    ...(noRevisions.ports?.(ports, stage, process) ?? ports),
    clock: { ...ports.clock, now: () => process.timeOfOwnLife() },
  }),
};

function withDetection(change: (detection: EngineSettings['detection']) => EngineSettings['detection']): Weakening {
  return { settings: (settings) => ({ ...settings, detection: change(settings.detection) }) };
}
