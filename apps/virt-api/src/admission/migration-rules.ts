import type { JsonObject } from '@smalt/json';
import { defaultMigration, validateMigration, validateMigrationUpdate } from '@smalt/vm-admission';

import { NOTHING_WRONG, type AdmissionDeps, type AdmissionRules, type Verdict } from './admission-rules.ts';
import type { AdmissionWrite } from './admission-write.ts';
import { asJson, asKnown } from './object-shapes.ts';
import { requesterOf } from './requester-of.ts';

const PLURAL = 'virtualmachineinstancemigrations';

/** The rules for migrations. */
export const migrationRules: AdmissionRules = { mutate, validate };

function mutate({ shapes }: AdmissionDeps, { operation, object }: AdmissionWrite): JsonObject | undefined {
  const migration = object === undefined || operation !== 'CREATE' ? undefined : shapes.find(PLURAL, object);
  return migration === undefined ? object : asJson(defaultMigration(migration));
}

async function validate(deps: AdmissionDeps, write: AdmissionWrite, signal: AbortSignal): Promise<Verdict> {
  const { operation, object, oldObject } = write;
  if (object === undefined) return NOTHING_WRONG;
  if (operation === 'CREATE') return await validateNew(deps, write, signal);
  if (operation !== 'UPDATE' || oldObject === undefined) return NOTHING_WRONG;
  return { causes: validateMigrationUpdate(asKnown(PLURAL, object), asKnown(PLURAL, oldObject)) };
}

async function validateNew(
  { reader, settings, controlPlane }: AdmissionDeps,
  { object = {}, namespace, user }: AdmissionWrite,
  signal: AbortSignal,
): Promise<Verdict> {
  const written = asKnown(PLURAL, object);
  const migration = { ...written, metadata: { ...written.metadata, namespace } };
  const key = { namespace, name: migration.spec.vmiName ?? '' };
  const instance = key.name === '' ? undefined : await reader.instance(key, signal);
  const migrations = instance === undefined ? [] : await reader.migrations(key, signal);
  const context = { settings, requester: requesterOf(user, controlPlane), instance, migrations };
  return { causes: validateMigration(migration, context) };
}
