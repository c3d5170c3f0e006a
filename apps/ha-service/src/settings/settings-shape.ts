import type { HaServiceSettings } from './ha-service-settings.ts';
import { detectionSection } from './detection-section.ts';
import { fencingSection } from './fencing-section.ts';
import { instanceRecoverySection } from './instance-recovery-section.ts';
import { policySection } from './policy-section.ts';
import {
  apiSection,
  computeSection,
  kubernetesSection,
  logSection,
  paceSection,
  retentionSection,
  storeSection,
  tlsSection,
  webhooksSection,
} from './service-sections.ts';
import { sourcesSection } from './sources-section.ts';
import { section } from './shape/object-shape.ts';
import { text } from './shape/scalar-shapes.ts';
import type { Shape } from './shape/shape.ts';

const ADDRESS = {
  pattern: /^(?:\[[0-9a-fA-F:.]*\]|[^\s:[\]]*):\d{1,5}$/,
  what: 'an address and a port, such as :8443',
};

/** The whole file. */
export const settingsShape: Shape<HaServiceSettings> = section('the configuration of the HA service', {
  listen: text('address and port of the HTTPS server for agents and persons', { ...ADDRESS, fallback: ':8443' }),
  observabilityListen: text('address and port of /metrics, /healthz and /readyz; empty is nowhere', {
    ...ADDRESS,
    fallback: '',
  }),
  tls: tlsSection,
  kubernetes: kubernetesSection,
  store: storeSection,
  compute: computeSection,
  sources: sourcesSection,
  fencing: fencingSection,
  detection: detectionSection,
  policy: policySection,
  instanceRecovery: instanceRecoverySection,
  pace: paceSection,
  api: apiSection,
  webhooks: webhooksSection,
  retention: retentionSection,
  log: logSection,
});
