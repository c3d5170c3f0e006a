import { isKubeError } from '@smalt/kube';
import { messageOf } from '@smalt/service-runtime';

import { openHighAvailability, type HighAvailabilityFlags } from '../ha/open-high-availability.ts';
import type { OutputFormat } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import { ExitCode } from '../output/exit-code.ts';
import { findKubeConfig, ownDataDirectory } from '../output/find-kubeconfig.ts';
import { paintFor } from '../output/live-screen.ts';
import { openCluster } from '../output/open-cluster.ts';
import { listText } from '../output/print-list.ts';
import { SmaltError } from '../smalt-error.ts';
import { doctorText } from './doctor-text.ts';
import { good, problem, warning, type Finding, type Verdict } from './finding.ts';
import type { FleetFacts } from './fleet-facts.ts';
import { judgeFleet } from './judge-fleet.ts';
import { judgeMachine } from './judge-machine.ts';
import type { CertificateFact } from './machine-facts.ts';
import { readCertificates } from './read-certificates.ts';
import { readFleet, readHighAvailability } from './read-fleet.ts';
import { readMachine } from './read-machine.ts';

export interface DoctorFlags extends HighAvailabilityFlags {
  readonly machine: boolean;
  readonly fleet: boolean;
  readonly output: OutputFormat;
}

/** Looks at this machine and at the fleet, and says what to do. Ends with 1 when something is to be mended. */
export async function runDoctor(program: CommandProgram, flags: DoctorFlags): Promise<void> {
  const [machine, fleet] = await Promise.all([
    flags.machine ? lookAtMachine(program, flags) : [],
    flags.fleet ? lookAtFleet(program, flags) : [],
  ]);
  const findings: readonly Finding[] = [
    ...machine.map((verdict) => ({ area: 'machine' as const, ...verdict })),
    ...fleet.map((verdict) => ({ area: 'fleet' as const, ...verdict })),
  ];
  if (flags.output === 'table') await program.output.write(doctorText(findings, paintFor(program)));
  else await program.output.write(await listText({ columns: [], rows: [], empty: '', value: findings }, flags.output));
  if (findings.some(({ level }) => level === 'problem')) program.setExitCode(ExitCode.failed);
}

async function lookAtMachine(program: CommandProgram, flags: DoctorFlags): Promise<readonly Verdict[]> {
  const { environment, signal } = program;
  const place = { environment, directory: ownDataDirectory(flags, environment) };
  const facts = await readMachine(place, await certificatesOf(program, flags), signal);
  return judgeMachine(facts, program.now());
}

async function certificatesOf(program: CommandProgram, flags: DoctorFlags): Promise<readonly CertificateFact[]> {
  try {
    return await readCertificates(await findKubeConfig(flags, program.environment));
  } catch {
    // That there is no kubeconfig, or a broken one, is told with the fleet.
    return [];
  }
}

async function lookAtFleet(program: CommandProgram, flags: DoctorFlags): Promise<readonly Verdict[]> {
  try {
    await using cluster = await openCluster(program, flags);
    const facts = await readFleet(cluster.client, await highAvailabilityOf(program, flags), program.signal);
    return [good('API server', `answers at ${cluster.config.server}`), ...judgeFleet(facts, program.now())];
  } catch (error) {
    if (!isKubeError(error)) throw error;
    const starting = 'smalt up starts a cluster on this machine; --kubeconfig names another';
    const isNamed = (flags.kubeconfig ?? program.environment['KUBECONFIG'] ?? '') !== '';
    // A machine need not have a cluster; one that was named has to be there.
    if (error.code === 'bad-config' && !isNamed) return [warning('API server', 'no cluster is named', starting)];
    const next = 'is it running, and is there a way to it? --kubeconfig and --context choose another';
    return [problem('API server', messageOf(error), error.code === 'bad-config' ? starting : next)];
  }
}

async function highAvailabilityOf(
  program: CommandProgram,
  flags: DoctorFlags,
): Promise<FleetFacts['highAvailability']> {
  try {
    await using service = await openHighAvailability(program, flags);
    return await readHighAvailability(service, program.signal);
  } catch (error) {
    const isUnnamed = error instanceof SmaltError && error.code === 'wrong-use' && flags.haUrl === undefined;
    return isUnnamed ? undefined : { trouble: messageOf(error) };
  }
}
