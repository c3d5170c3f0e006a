import { readDomain } from '@smalt/domain-xml';
import { DomainMigrateFlags, type Connection, type Domain } from '@smalt/libvirt';
import type { Ignore } from '@smalt/service-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import type { MigrationSettings } from '@smalt/vm-lifecycle';

import { lookForGuest, type GuestLookup } from './look-for-guest.ts';
import { planMigration, type MigrationPlan } from './plan-migration.ts';
import { xmlForTarget } from './xml-for-target.ts';

export interface PlanReading {
  readonly session: GuestLookup & Pick<Connection, 'domainGetXmlDesc'>;
  readonly instance: VirtualMachineInstance;
  readonly settings: MigrationSettings;
  readonly canEncrypt: boolean;
  /** Whether two halves that have lost each other are brought together: then the domain is at the target already. */
  readonly isResumed?: boolean | undefined;
}

/** Finds out from the domain as it runs what libvirt is to be asked for. */
export async function readPlan(
  { session, instance, settings, canEncrypt, isResumed = false }: PlanReading,
  domain: Domain,
  signal: AbortSignal,
): Promise<MigrationPlan> {
  const xml = await session.domainGetXmlDesc({ domain }, { signal });
  const targetXml = isResumed ? undefined : await xmlForTarget(session, domain, instance, signal);
  const plan = planMigration({ instance, disks: readDomain(xml).disks, settings, canEncrypt, targetXml });
  return isResumed ? { ...plan, flags: plan.flags | DomainMigrateFlags.postcopyResume } : plan;
}

/** The same before it is needed. Undefined when that does not work: whoever needs it tries again, and hears why. */
export async function readPlanAhead(
  { ignore, ...reading }: PlanReading & { readonly ignore: Ignore },
  signal: AbortSignal,
): Promise<MigrationPlan | undefined> {
  try {
    const { domain } = await lookForGuest(reading.session, reading.instance, signal);
    return domain === undefined ? undefined : await readPlan(reading, domain, signal);
  } catch (error) {
    if (!signal.aborted) ignore(error, 'a migration is planned when it begins, and not before');
    return undefined;
  }
}
