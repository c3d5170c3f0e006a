import { Type, type TString } from 'typebox';

/** A host in a path. */
export const HostName: TString = Type.String({
  maxLength: 253,
  pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
  description: 'the name of the Hypervisor',
});
