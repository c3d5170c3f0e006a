import { describe, expect, it } from 'vitest';

import {
  BYTES,
  CRON_SCHEDULE,
  DIRECTORY,
  HTTPS_ORIGIN,
  MAX_UNAVAILABLE,
  OPTIONAL_TAG,
  QUANTITY,
  REGISTRY,
  REPOSITORY,
  SOME_BYTES,
  type Schema,
} from './kubernetes-schemas.ts';

interface Texts {
  readonly name: string;
  readonly schema: Schema;
  readonly taken: readonly string[];
  readonly refused: readonly string[];
}

const TABLE: readonly Texts[] = [
  {
    name: 'quantities, as Kubernetes reads them',
    schema: QUANTITY,
    taken: ['0', '1', '0.5', '.5', '5.', '100m', '250u', '128k', '128Ki', '2Ei', '2E', '1e3', '1E-2'],
    refused: ['', '128K', '1ki', '1Kib', '1 Gi', '1GB', '-1', '1,5', 'Gi', '1mm'],
  },
  {
    name: 'bytes, which have no thousandths',
    schema: BYTES,
    taken: ['0', '128k', '128Mi', '1e9', '1.5Gi'],
    refused: ['128m', '1u', '128K', '1GB'],
  },
  {
    name: 'sizes of volumes, which are more than nothing',
    schema: SOME_BYTES,
    taken: ['8Gi', '0.5Ti', '10', '1e10'],
    refused: ['0', '0Gi', '0.0Gi', '', '8G B'],
  },
  {
    name: 'how many nodes are updated at a time',
    schema: MAX_UNAVAILABLE,
    taken: ['1', '25', '1%', '99%', '100%'],
    refused: ['', '0', '0%', '00%', '101%', '250%', '10 %', 'all'],
  },
  {
    name: 'schedules of CronJobs',
    schema: CRON_SCHEDULE,
    taken: ['*/5 * * * *', '0 3 1,15 * mon-fri', '@hourly', '@every 1h30m'],
    refused: ['', '* * * *', '* * * * * *', 'hourly', '@reboot', 'TZ=UTC 0 3 * * *', 'CRON_TZ=UTC 0 3 * * *'],
  },
  {
    name: 'origins of the console, as browsers name them',
    schema: HTTPS_ORIGIN,
    taken: ['https://console.example', 'https://localhost:8443', 'https://192.0.2.7', 'https://[2001:db8::7]:8443'],
    refused: [
      'http://console.example',
      'console.example',
      'https://console.example/',
      'https://Console.example',
      'https://console.example:443',
      'https://a b',
      'https://user@console.example',
    ],
  },
  {
    name: 'registries, without a scheme',
    schema: REGISTRY,
    taken: ['smalt.local', 'registry.example:5000/smalt', 'registry.example/a/b-c/', '[2001:db8::7]:5000/smalt'],
    refused: ['', 'https://registry.example', 'registry.example/Smalt', 'registry.example//a', 'registry.example/a b'],
  },
  {
    name: 'repositories',
    schema: REPOSITORY,
    taken: ['smalt', 'a/smalt-node-agent', 'a__b'],
    refused: ['', 'Smalt', '/smalt', 'smalt/', 'smalt:1'],
  },
  { name: 'tags', schema: OPTIONAL_TAG, taken: ['', '0.1.0', 'v1_a-b'], refused: ['-a', 'a b', '1.0+2', 'a:b'] },
  {
    name: 'directories of nodes',
    schema: DIRECTORY,
    taken: ['/var/lib/kubelet', '/run/k3s/containerd', '/a/..b'],
    refused: ['', '/', 'var', '/var/', '//var', '/var:lib', '/var/../etc', '/var/..'],
  },
];

describe.each(TABLE)('the schema of $name', ({ schema, taken, refused }) => {
  it.each(taken)('takes %j', (text) => {
    expect(isTaken(schema, text)).toBe(true);
  });

  it.each(refused)('refuses %j', (text) => {
    expect(isTaken(schema, text)).toBe(false);
  });
});

function isTaken({ pattern, not }: Schema, text: string): boolean {
  const { pattern: unwanted } = Object(not);
  return new RegExp(String(pattern)).test(text) && !(unwanted !== undefined && new RegExp(String(unwanted)).test(text));
}
