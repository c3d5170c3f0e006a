import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { WEBHOOK_ENDPOINTS } from './webhook-endpoints.ts';
import { webhookConfigurations } from './webhook-configurations.ts';

const FILE = resolve(import.meta.dirname, '../../../../deploy/helm/smalt/files/virt-api/webhooks.yaml');

it('are what deploy/helm/smalt/files/virt-api/webhooks.yaml says', async () => {
  const documents = parseAllDocuments(await readFile(FILE, 'utf8')).map((document): unknown => document.toJS());

  expect(documents).toEqual(webhookConfigurations({ namespace: 'smalt-system', name: 'virt-api' }));
});

it('fail closed within ten seconds, and have a side effect for evictions alone', () => {
  const webhooks = webhookConfigurations({ namespace: 'n', name: 's' }).flatMap(({ webhooks: some }) => some);

  expect(webhooks).toHaveLength(WEBHOOK_ENDPOINTS.length);
  for (const webhook of webhooks) expect(webhook).toMatchObject({ failurePolicy: 'Fail', timeoutSeconds: 10 });
  expect(JSON.stringify(webhooks).match(/"NoneOnDryRun"/g)).toHaveLength(2);
});
