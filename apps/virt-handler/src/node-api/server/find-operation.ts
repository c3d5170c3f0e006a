import { checkDns1123Label, checkDns1123Subdomain } from '@smalt/kubernetes';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import { ACTIONS, QUESTIONS, TELEMETRY, type NodeOperation, type OperationTarget } from './node-operation.ts';

const PREFIX = /^\/v1\/namespaces\/(?<namespace>[^/]+)\/virtualmachineinstances\/(?<name>[^/]+)\/(?<rest>.+)$/;
const NODE = /^\/v1\/nodes\/(?<name>[^/]+)\/(?<rest>[^/]+)$/;
const FORWARD = /^portforward\/(?<port>\d{1,5})(?:\/(?<protocol>[^/]*))?$/;

/** Finds out what a request wants; throws what is wrong with it. Names that no object can have are not there. */
export function findOperation(method: string, path: string): NodeOperation {
  const operation = operationOnNode(path) ?? operationOnGuest(path);
  if (operation === undefined) throw new VirtHandlerError('not-found', `there is no ${method} ${path} here`);
  const needed = operation.kind === 'action' ? 'PUT' : 'GET';
  if (method !== needed) throw new VirtHandlerError('wrong-method', `${path} is for ${needed} alone`);
  return operation;
}

function operationOnGuest(path: string): NodeOperation | undefined {
  const { namespace = '', name = '', rest = '' } = PREFIX.exec(path)?.groups ?? {};
  const isNamed = checkDns1123Label(namespace).length === 0 && checkDns1123Subdomain(name).length === 0;
  return isNamed ? operationOf({ resource: 'virtualmachineinstances', namespace, name }, rest) : undefined;
}

function operationOnNode(path: string): NodeOperation | undefined {
  const { name = '', rest = '' } = NODE.exec(path)?.groups ?? {};
  if (checkDns1123Subdomain(name).length > 0) return undefined;
  return telemetryOf({ resource: 'nodes', namespace: '', name }, rest);
}

function telemetryOf(target: OperationTarget, rest: string): NodeOperation | undefined {
  const subresource = TELEMETRY.find((each) => each === rest);
  return subresource === undefined ? undefined : { ...target, kind: 'telemetry', subresource };
}

function operationOf(target: OperationTarget, rest: string): NodeOperation | undefined {
  if (rest === 'console' || rest === 'vnc') return { ...target, kind: 'stream', subresource: rest };
  const action = ACTIONS.find((each) => each === rest);
  if (action !== undefined) return { ...target, kind: 'action', subresource: action };
  const question = QUESTIONS.find((each) => each === rest);
  if (question !== undefined) return { ...target, kind: 'question', subresource: question };
  const forward = FORWARD.exec(rest)?.groups;
  return forward === undefined ? telemetryOf(target, rest) : forwardOf(target, forward);
}

function forwardOf(
  target: OperationTarget,
  { port = '', protocol = 'tcp' }: Readonly<Record<string, string | undefined>>,
): NodeOperation {
  const number = Number(port);
  if (number < 1 || number > 65_535) throw new VirtHandlerError('bad-request', `${port} is no port: give 1 to 65535`);
  if (protocol !== 'tcp') {
    throw new VirtHandlerError('bad-request', `ports are forwarded by tcp alone, not by ${JSON.stringify(protocol)}`);
  }
  return { ...target, kind: 'stream', subresource: 'portforward', port: number };
}
