import { describe, expect, it } from 'vitest';

import { OwnOrigins, type OwnOriginsOptions } from './own-origins.ts';

describe('an origin', () => {
  it.each([
    { on: 'loopback', options: {}, origin: 'http://127.0.0.1:8080', isOwn: true },
    { on: 'loopback', options: {}, origin: 'http://localhost:8080', isOwn: true },
    { on: 'loopback', options: {}, origin: 'http://[::1]:8080', isOwn: true },
    { on: 'loopback', options: {}, origin: 'https://localhost:8080', isOwn: false },
    { on: 'loopback', options: {}, origin: 'http://localhost:8081', isOwn: false },
    { on: 'loopback', options: {}, origin: 'http://10.0.0.1:8080', isOwn: false },
    { on: 'loopback', options: {}, origin: 'http://evil.example:8080', isOwn: false },
    { on: 'loopback', options: {}, origin: 'null', isOwn: false },
    { on: 'loopback', options: {}, origin: 'http://smalt.localhost:8080', isOwn: true },
    { on: 'loopback', options: {}, origin: 'http://smalt.localhost:8081', isOwn: false },
    { on: 'loopback', options: {}, origin: 'https://smalt.localhost:8080', isOwn: false },
    { on: 'loopback', options: {}, origin: 'http://localhost.evil.example:8080', isOwn: false },
    { on: 'loopback', options: {}, origin: 'http://evillocalhost:8080', isOwn: false },
    { on: 'everything', options: { host: '0.0.0.0' }, origin: 'http://smalt.localhost:8080', isOwn: false },
    { on: 'everything', options: { host: '0.0.0.0' }, origin: 'http://10.0.0.1:8080', isOwn: true },
    { on: 'everything', options: { host: '::' }, origin: 'http://[fd00::1]:8080', isOwn: true },
    { on: 'everything', options: { host: '0.0.0.0' }, origin: 'http://machine:8080', isOwn: true },
    { on: 'everything', options: { host: '0.0.0.0' }, origin: 'http://10.0.0.1.evil.example:8080', isOwn: false },
    { on: 'everything', options: { host: '0.0.0.0' }, origin: 'http://10.0.0.1', isOwn: false },
    { on: 'a name', options: { origins: ['https://console.example'] }, origin: 'https://console.example', isOwn: true },
    { on: 'a name', options: { origins: ['https://console.example'] }, origin: 'http://console.example', isOwn: false },
  ])('$origin is ours: $isOwn, for one that listens on $on', ({ options, origin, isOwn }) => {
    expect(own(options).isOwn(origin)).toBe(isOwn);
  });
});

describe('a Host', () => {
  it.each([
    { options: {}, host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' },
    { options: { origins: ['https://console.example'] }, host: 'console.example', origin: 'https://console.example' },
    { options: { origins: ['https://console.example'] }, host: 'CONSOLE.example', origin: 'https://console.example' },
    { options: {}, host: 'smalt.localhost:8080', origin: 'http://smalt.localhost:8080' },
    { options: {}, host: 'evil.example', origin: undefined },
    { options: {}, host: 'evil.example@127.0.0.1:8080', origin: undefined },
    { options: {}, host: '127.0.0.1:8080/x', origin: undefined },
    { options: {}, host: '', origin: undefined },
    { options: {}, host: undefined, origin: undefined },
  ])('$host is that of $origin', ({ options, host, origin }) => {
    expect(own(options).originOf(host)).toBe(origin);
  });
});

function own({ host = '127.0.0.1', ...rest }: Partial<OwnOriginsOptions> & { readonly host?: string }): OwnOrigins {
  return new OwnOrigins({ listen: { host, port: 8080 }, isTls: false, origins: [], machine: 'machine', ...rest });
}
