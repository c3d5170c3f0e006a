import { describe, expect, it } from 'vitest';

import { telemetryUrl, type HaServiceSettings } from './ha-agent-settings.ts';

const identity = { kind: 'token', tokenFile: '/token' } as const;
const certificate = { kind: 'certificate', certificateFile: '/c', keyFile: '/k' } as const;

describe('telemetryUrl', () => {
  it.each<{ settings: HaServiceSettings; url: string }>([
    { settings: { url: 'https://ha.example', identity }, url: 'https://ha.example/api/v1/nodes/n%201/telemetry' },
    {
      settings: { url: 'https://ha.example/base/', identity },
      url: 'https://ha.example/base/api/v1/nodes/n%201/telemetry',
    },
    { settings: { url: 'http://127.0.0.1:8080' }, url: 'http://127.0.0.1:8080/api/v1/nodes/n%201/telemetry' },
    { settings: { url: 'http://[::1]' }, url: 'http://[::1]/api/v1/nodes/n%201/telemetry' },
    { settings: { url: 'http://ha', identity, allowPlainHttp: true }, url: 'http://ha/api/v1/nodes/n%201/telemetry' },
  ])('is $url for $settings.url', ({ settings, url }) => {
    expect(telemetryUrl(settings, 'n 1').href).toBe(url);
  });

  it.each<{ settings: HaServiceSettings; message: RegExp }>([
    { settings: { url: 'ha.example', identity }, message: /^service.url must be an address/ },
    { settings: { url: 'ftp://ha.example', identity }, message: /^service.url must be an address/ },
    { settings: { url: 'https://me:word@ha.example', identity }, message: /^service.url must have no user/ },
    { settings: { url: 'https://ha.example?x', identity }, message: /^service.url must have no user/ },
    { settings: { url: 'http://ha.example', identity }, message: /plain HTTP to ha.example: use https/ },
    { settings: { url: 'http://127.evil.example', identity }, message: /plain HTTP/ },
    { settings: { url: 'https://ha.example' }, message: /^service.identity is missing/ },
    { settings: { url: 'http://localhost', identity: certificate }, message: /^service.identity: a certificate needs/ },
  ])('refuses $settings.url and says what to do', ({ settings, message }) => {
    expect(() => telemetryUrl(settings, 'n1')).toThrow(
      expect.objectContaining({ code: 'invalid-settings', message: expect.stringMatching(message) }),
    );
  });
});
