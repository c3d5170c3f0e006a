import { useEffect, useSyncExternalStore } from 'react';

import { useServices } from '../services.ts';
import type { Deed } from './rights.ts';

/** Whether the user may do this. False until the server has said so: what cannot be done is not offered. */
export function useMay(deed: Deed): boolean {
  return useMayAll([deed])[0] === true;
}

/** The same for several, in their order. */
export function useMayAll(deeds: readonly Deed[]): readonly boolean[] {
  const { rights } = useServices();
  // What was asked lately is not asked again, so this may be done at each drawing.
  useEffect(() => rights.ask(deeds));
  const answers = useSyncExternalStore(rights.subscribe, () =>
    deeds.map((deed) => (rights.may(deed) === true ? '1' : '0')).join(''),
  );
  return Array.from(answers, (answer) => answer === '1');
}

/** The same for one, undefined until the server has said it: for what must not be taken for refused meanwhile. */
export function useMayAnswer(deed: Deed): boolean | undefined {
  const { rights } = useServices();
  useEffect(() => rights.ask([deed]));
  return useSyncExternalStore(rights.subscribe, () => rights.may(deed));
}
