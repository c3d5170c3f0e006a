import type { Clock } from '../clock.ts';
import { DomainMigrateFlags } from '../generated/constants.gen.ts';
import type { DomainMigrateParameters } from '../generated/parameter-sets.gen.ts';
import type { Domain } from '../generated/structs.gen.ts';
import type { TypedParameterInput } from '../typed-parameters.ts';
import { abortJobOn } from './abort-job-on.ts';
import type { MigrateSource } from './migrate.ts';

export interface MigrateToUriOptions {
  readonly domain: Domain;
  /** Where the source daemon finds the destination daemon, seen from the source: `qemu+tcp://hv2/system`. */
  readonly destinationUri: string;
  readonly parameters?: TypedParameterInput<DomainMigrateParameters>;
  /** `DomainMigrateFlags` combined; `peer2peer` is always set. */
  readonly flags?: number;
  /** Aborts the migration at the daemon; the domain then stays on the source. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Has the source daemon migrate a domain by itself, and resolves when the domain runs on the destination. This client
 * is needed for nothing in between, but a source daemon that loses it aborts the migration.
 */
export async function migrateToUri(
  source: Pick<MigrateSource, 'domainAbortJob' | 'domainMigratePerform3Params'>,
  options: MigrateToUriOptions,
): Promise<void> {
  const { domain, destinationUri, parameters = {}, flags = DomainMigrateFlags.live, signal, clock } = options;
  await abortJobOn({ source, domain, signal, clock }, (patiently) =>
    source.domainMigratePerform3Params(
      {
        domain,
        destinationConnectionUri: destinationUri,
        params: parameters,
        flags: flags | DomainMigrateFlags.peer2peer,
      },
      patiently,
    ),
  );
}
