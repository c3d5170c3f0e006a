import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import { isDraft } from '@smalt/files';
import { LibvirtDaemonError, runProgram } from '@smalt/libvirt-daemon';
import { removeCgroups } from '@smalt/local-hosts';
import { defaultNetworkSettings } from '@smalt/virt-handler';

import { pathExists } from '../path-exists.ts';
import { readFleet } from '../up/claim-data-directory.ts';
import { dataNames, dataPath, strangeNames } from '../up/data-directory.ts';
import { ThisHost } from '../up/this-host.ts';
import { takeAwayShown } from './take-away-shown.ts';

const IP = { name: 'ip', debianPackage: 'iproute2' } as const;
const NFT = { name: 'nft', debianPackage: 'nftables' } as const;
/** What the pod runner makes for the pods of a machine. */
const POD_CGROUP = 'smalt';

type Print = (line: string) => void;

/** What a purge of a data directory removes, in words. */
export async function describePurge(dataDirectory: string): Promise<readonly string[]> {
  const found = await readdir(dataDirectory);
  const kept = strangeNames(found);
  const { bridge } = defaultNetworkSettings.nat;
  const { hosts, hasOpenStack } = await readFleet(dataDirectory);
  return [
    ...(hosts === 0 ? [] : [`its ${hosts} hosts, with their libvirtd, network and nft table`]),
    ...(hasOpenStack ? ['its OpenStack, with the servers, images and users in it'] : []),
    'the virtual machines of this machine, with their disks',
    `its libvirtd, and the files of pods, images, volumes, tokens and records in ${dataDirectory}`,
    `the bridge ${bridge} and its nft tables, if nothing else is on it`,
    ...(kept.length === 0 ? [] : [`not: ${kept.join(', ')}, which are not Smalt's`]),
  ];
}

/** Removes all that a `smalt up`, which has stopped, left on this machine. May be done again when it was interrupted. */
export async function purgeMachine(dataDirectory: string, print: Print, signal: AbortSignal): Promise<void> {
  await endHosts(dataDirectory, print);
  await endLibvirt(dataDirectory, print, signal);
  await removeNetwork();
  await takeAwayShown(dataDirectory, signal);
  // Those with a process in them stay: it is that of another `smalt up`.
  await removeCgroups(POD_CGROUP);
  const drafts = (await readdir(dataDirectory)).filter(isDraft);
  for (const name of [...Object.values(dataNames), ...drafts])
    await rm(join(dataDirectory, name), { recursive: true, force: true });
  await rmdir(dataDirectory).catch(unless('ENOTEMPTY', 'ENOENT', 'EBUSY'));
}

async function endHosts(dataDirectory: string, print: Print): Promise<void> {
  const { hosts: count, hasOpenStack } = await readFleet(dataDirectory);
  if (count === 0) return;
  const { LocalFleet } = await import('../up/local-fleet.ts');
  const stop = AbortSignal.abort();
  const fleet = await LocalFleet.open({ dataDirectory, count, hasOpenStack, print, now: () => new Date(), stop });
  await fleet[Symbol.asyncDispose]();
  await fleet.remove();
}

/** A libvirtd that runs, or one that finds the guests of a dead one again, is the way to end them in order. */
async function endLibvirt(dataDirectory: string, print: Print, signal: AbortSignal): Promise<void> {
  if (!(await pathExists(join(dataPath(dataDirectory, 'libvirt'), 'daemon.json')))) return;
  const host = await ThisHost.open({ dataDirectory, print, stop: AbortSignal.abort() }, signal);
  await host[Symbol.asyncDispose]();
}

/** The bridge is shared by all guests of a machine, whoever runs them. */
async function removeNetwork(): Promise<void> {
  const { bridge } = defaultNetworkSettings.nat;
  if (!(await pathExists(`/sys/class/net/${bridge}`))) return;
  if ((await readdir(`/sys/class/net/${bridge}/brif`)).length > 0) return;
  await runProgram(IP, ['link', 'delete', 'dev', bridge]);
  for (const family of ['inet', 'bridge']) {
    await runProgram(NFT, ['delete', 'table', family, `smalt-${bridge}`]).catch(unlessFailed);
  }
}

function unlessFailed(error: unknown): void {
  // The table is not there.
  if (!(error instanceof LibvirtDaemonError && error.code === 'command-failed')) throw error;
}

function unless(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (!codes.some((each) => each === code)) throw error;
  };
}
