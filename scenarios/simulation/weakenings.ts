import type { EnginePorts, EngineSettings } from '@smalt/ha-service';

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

/**
 * No weakening, but a bad house: controllers that tell the truth and ignore orders, and behind them a PDU on a wrong outlet
 * that takes orders, does nothing and says off.
 */
export const wrongOutlets: Weakening = {
  ports: (ports, stage) => ({
    ...ports,
    power: {
      ...ports.power,
      methodsOf: () => ['redfish', 'pdu'],
      powerOff: () => Promise.resolve(),
      readPower: (host, method) => {
        const power = method === 'redfish' && stage.world.host(host).isPowered ? 'on' : 'off';
        return Promise.resolve({ power, session: ports.newId(), message: 'read' });
      },
    },
  }),
};

/** In that house, what one method says does not count against another. */
export const unheardObjection: Weakening = {
  ports: (ports, stage, process) => {
    const bad = wrongOutlets.ports?.(ports, stage, process) ?? ports;
    const readPower: typeof bad.power.readPower = async (host, method, signal) => {
      const reading = await bad.power.readPower(host, method, signal);
      return reading.power === 'on' ? { ...reading, power: 'unknown' } : reading;
    };
    return { ...bad, power: { ...bad.power, readPower } };
  },
};

/**
 * No weakening, but a bad house: there is no way to power a host off but by hand, and whenever somebody has done so the
 * leader stands still, before it has heard of that or just after, while somebody else starts the host again.
 */
export const forgottenWords: Weakening = {
  ports: (ports) => ({ ...ports, power: { ...ports.power, methodsOf: () => [] } }),
  onWord: ({ dice, scheduler, replicas, world }, host) => {
    const leader = replicas.find(({ isLeading }) => isLeading);
    scheduler.after(dice.between(0, 30) * 1000, () => leader?.stall(240_000));
    scheduler.after(40_000, () => world.boot(host));
  },
};

/** In that house, the word of a person is as good as new for an hour. */
export const lastingWord: Weakening = {
  ...forgottenWords,
  ...withDetection((detection) => ({ ...detection, recovery: { ...detection.recovery, proofValidMs: 3_600_000 } })),
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

/** Nobody asks whether the lease is still his. */
export const noLeaseQuestion: Weakening = { ports: (ports) => ({ ...ports, isLeading: () => true }) };

/** Whoever saves last wins, and nobody asks whether the lease is still his: nobody learns that another has taken over. */
export const noRevisions: Weakening = {
  ports: (ports, stage) => ({
    ...ports,
    isLeading: () => true,
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
      documents: {
        ...ports.store.documents,
        save: async (kind, document, signal) => {
          const answer = await ports.store.documents.save(kind, document, signal);
          if (answer === 'overtaken') stage.store.documents.set(`${kind}/${document.key}`, document);
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
    clock: { ...ports.clock, now: () => process.timeOfOwnLife(), wallNow: () => process.timeOfOwnLife() },
  }),
};

/** Nobody puts off what was off before. */
export const noPutOff: Weakening = {
  ports: (ports) => ({
    ...ports,
    compute: {
      ...ports.compute,
      instances: { ...ports.compute.instances, stop: () => Promise.resolve(), get: offOf(ports) },
    },
  }),
};

function offOf({ compute }: EnginePorts): EnginePorts['compute']['instances']['get'] {
  return async (id, signal) => {
    const found = await compute.instances.get(id, signal);
    return found && { ...found, state: 'stopped' };
  };
}

/** Events are passed over once they were read, whatever became of them. */
export const noEvents: Weakening = {
  ports: (ports) => ({
    ...ports,
    store: {
      ...ports.store,
      telemetry: { ...ports.store.telemetry, events: () => Promise.resolve([]) },
    },
  }),
};

/** What it opens is stored nowhere: a dead host stays as it is, and nobody is told. */
export const noIncidents: Weakening = {
  ports: (ports) => ({
    ...ports,
    store: {
      ...ports.store,
      incidents: { ...ports.store.incidents, open: () => Promise.resolve('exists') },
    },
  }),
};

/** Takes something out of the detection. */
export function withDetection(
  change: (detection: EngineSettings['detection']) => EngineSettings['detection'],
): Weakening {
  return { settings: (settings) => ({ ...settings, detection: change(settings.detection) }) };
}
