import type { ConditionMeaning } from '../../parts/condition-words.ts';

/** What the conditions of hosts mean. */
export const HOST_CONDITIONS: Readonly<Record<string, ConditionMeaning>> = {
  Ready: { yes: 'Takes virtual machines', no: 'Takes no virtual machines', wanted: 'True' },
  Onboarding: { yes: 'Is being taken into use', no: 'Was taken into use' },
  Offboarded: { yes: 'Was taken out of use', no: 'Is being taken out of use' },
  Terminating: { yes: 'Its node is going', no: 'Its node stays', wanted: 'False' },
  Tainted: { yes: 'Was changed by hand', no: 'Was not changed by hand', wanted: 'False' },
  TraitsUpdated: { yes: 'Has the wanted traits', no: 'Lacks wanted traits', wanted: 'True' },
  AggregatesUpdated: { yes: 'Is in the wanted aggregates', no: 'Is not in the wanted aggregates', wanted: 'True' },
  AgentPodsEvicted: { yes: 'No agent runs on it any more', no: 'Agents still run on it' },
  HypervisorDisabled: { yes: 'Closed to new virtual machines', no: 'Open to new virtual machines', wanted: 'False' },
  Evicting: { yes: 'Virtual machines are leaving', no: 'No virtual machine is leaving' },
  HaEnabled: { yes: 'Guarded by high availability', no: 'Not guarded by high availability', wanted: 'True' },
  HaAgent: { yes: 'Reports to high availability', no: 'Does not report to high availability' },
  EvacuateOnReboot: { yes: 'Is emptied before it restarts', no: 'Is not emptied before it restarts' },
  LibVirtConnection: { yes: 'libvirt answers', no: 'libvirt does not answer', wanted: 'True' },
  OperatingSystemUpdate: { yes: 'An update runs', no: 'No update runs' },
  TLSCertificateInstalled: {
    yes: 'Its certificate is in place',
    no: 'Its certificate is not in place',
    wanted: 'True',
  },
};
