import type { DurableHaStore } from '../../store/durable-ha-store.ts';

/** The same store, which tells after each write that could be of interest to who looks at the fleet. */
export function toldStore(store: DurableHaStore, tell: () => void): DurableHaStore {
  const { incidents, journal, hosts } = store;
  const told = async <T>(written: Promise<T>): Promise<T> => {
    const result = await written;
    tell();
    return result;
  };
  return {
    ...store,
    incidents: {
      ...incidents,
      open: (...call) => told(incidents.open(...call)),
      save: (...call) => told(incidents.save(...call)),
      addDecision: (...call) => told(incidents.addDecision(...call)),
    },
    journal: { ...journal, append: (...call) => told(journal.append(...call)) },
    hosts: {
      ...hosts,
      switch: (...call) => told(hosts.switch(...call)),
      hold: (...call) => told(hosts.hold(...call)),
      forget: (...call) => told(hosts.forget(...call)),
    },
    setSwitches: (...call) => told(store.setSwitches(...call)),
  };
}
