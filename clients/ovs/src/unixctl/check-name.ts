import { OvsError } from '../ovs-error.ts';

// What ovs-vsctl accepts is wider, but nobody names a bridge like an option or with a slash.
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.:@+-]{0,127}$/;

/** Gives the name back if it can be one of a bridge or port; else an OvsError `invalid-argument`. */
export function checkName(field: string, name: string): string {
  if (NAME.test(name)) return name;
  const next = 'give letters, digits and _ . : @ + - only, 128 at most';
  throw new OvsError('invalid-argument', `${field} is ${JSON.stringify(name.slice(0, 100))}: ${next}`);
}
