/** The operators that are measured. */
export type OperatorName = 'smalt' | 'go';

export const OPERATOR_TITLES: Readonly<Record<OperatorName, string>> = {
  smalt: 'smalt',
  go: 'openstack-hypervisor-operator',
};
