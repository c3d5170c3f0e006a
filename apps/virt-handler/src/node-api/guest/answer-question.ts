import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';
import { DomainGuestInfoTypes, isLibvirtError, type CallOptions, type LibvirtSession } from '@smalt/libvirt';

import type { RunningInstance } from '../../sync/running-instances.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { QuestionName } from '../server/node-operation.ts';
import { explainLibvirtError } from './explain-libvirt-error.ts';
import { fileSystemsOf, guestOsOf, usersOf, type GuestInformation } from './guest-information.ts';
import { requireRunning } from './require-running.ts';

const API_VERSION = 'subresources.kubevirt.io/v1';
/** As long as the agent of a guest may take for one command. */
const AGENT_SECONDS = 10;
const { users, os, timezone, hostname, filesystem } = DomainGuestInfoTypes;

/** Asks the agent of a guest, and answers in the words of the API. */
export async function answerQuestion(
  question: QuestionName,
  running: RunningInstance,
  options: CallOptions,
): Promise<JsonObject> {
  try {
    if ((await requireRunning(running, options)) === 'paused') throw new VirtHandlerError('conflict', 'VMI is paused');
    return await ask(question, running, options);
  } catch (error) {
    throw explainLibvirtError(error);
  }
}

async function ask(question: QuestionName, running: RunningInstance, options: CallOptions): Promise<JsonObject> {
  const { session, domain } = running;
  const information = async (types: number): Promise<GuestInformation> =>
    await session.domainGetGuestInfo({ domain, types }, options);
  switch (question) {
    case 'userlist':
      return list('VirtualMachineInstanceGuestOSUserList', usersOf(await information(users)));
    case 'filesystemlist':
      return list('VirtualMachineInstanceFileSystemList', fileSystemsOf(await information(filesystem)));
    case 'guestosinfo': {
      const agent = await agentInformation(running, options);
      const all = await information(users | os | timezone | hostname | filesystem);
      return {
        apiVersion: API_VERSION,
        kind: 'VirtualMachineInstanceGuestAgentInfo',
        metadata: {},
        ...agent,
        ...guestOsOf(all),
        userList: [...usersOf(all)],
        fsInfo: { disks: [...fileSystemsOf(all)] },
        fsFreezeStatus: await freezeStatus(running, options),
      };
    }
  }
}

function list(kind: string, items: readonly JsonObject[]): JsonObject {
  return { apiVersion: API_VERSION, kind, metadata: {}, items: [...items] };
}

async function agentInformation(running: RunningInstance, options: CallOptions): Promise<JsonObject> {
  const answer = await command(running, 'guest-info', options);
  const told = isJsonObject(answer) ? answer : {};
  const commands = Array.isArray(told['supported_commands']) ? told['supported_commands'] : [];
  const supportedCommands = commands.flatMap((each) => {
    if (!isJsonObject(each) || typeof each['name'] !== 'string') return [];
    return [{ name: each['name'], enabled: each['enabled'] === true }];
  });
  const version = told['version'];
  return { guestAgentVersion: typeof version === 'string' ? version : '', supportedCommands };
}

async function freezeStatus(running: RunningInstance, options: CallOptions): Promise<string> {
  try {
    const answer = await command(running, 'guest-fsfreeze-status', options);
    return typeof answer === 'string' ? answer : '';
  } catch (error) {
    // Agents may be told not to answer this, or not know it.
    if (isLibvirtError(error, 'agent-command-failed') || isLibvirtError(error, 'internal-error')) return '';
    throw error;
  }
}

async function command(
  { session, domain }: { readonly session: LibvirtSession; readonly domain: RunningInstance['domain'] },
  execute: string,
  options: CallOptions,
): Promise<unknown> {
  const text = JSON.stringify({ execute });
  const answer = await session.qemuDomainAgentCommand({ domain, command: text, timeout: AGENT_SECONDS }, options);
  const read = parseJson(answer ?? '{}');
  return isJsonObject(read) ? read['return'] : undefined;
}
