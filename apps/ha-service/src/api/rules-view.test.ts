import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

import { minimalSettings } from '../fixtures/minimal-settings.ts';
import { parseSettings } from '../settings/parse-settings.ts';
import { rulesView } from './rules-view.ts';

describe('rulesView', () => {
  it('shows nothing that people put secrets into', () => {
    const view = rulesView(parseSettings(stringify({ ...minimalSettings(), fencing, webhooks, sources })));

    expect(JSON.stringify(view)).not.toContain('hush');
    expect(view).toMatchObject({
      webhooks: [{ name: 'chat', url: 'https://chat.example' }],
      sources: { pull: [{ url: 'https://harvest.example:9090' }] },
      fencing: {
        levels: [{ url: 'https://{host}.bmc.example' }, { command: ['/opt/pdu'], environment: ['PDU'] }],
        cleanUp: [{ command: ['/opt/clean'], environment: ['OVN'] }],
      },
    });
  });

  it('shows the rest as it is', () => {
    const settings = parseSettings(stringify(minimalSettings()));

    expect(rulesView(settings)).toEqual(settings);
  });
});

const fencing = {
  levels: [
    {
      name: 'bmc',
      driver: 'redfish',
      url: 'https://{host}.bmc.example',
      user: 'fencer',
      passwordFile: '/etc/bmc-password',
    },
    { name: 'pdu', driver: 'command', command: ['/opt/pdu', '{host}', '--key=hush'], environment: { PDU: 'hush' } },
  ],
  cleanUp: [{ name: 'ovn', command: ['/opt/clean', '{host}', 'hush'], environment: { OVN: 'hush' } }],
};
const webhooks = [{ name: 'chat', url: 'https://chat.example/services/hush', secretFile: '/etc/webhook-secret' }];
const sources = {
  pull: [
    {
      name: 'harvest',
      url: 'https://harvest.example:9090/metrics?token=hush',
      format: 'prometheus',
      rules: [{ source: 'storage', value: 'idle_seconds', host: { from: 'client' }, meaning: { kind: 'age' } }],
    },
  ],
};
