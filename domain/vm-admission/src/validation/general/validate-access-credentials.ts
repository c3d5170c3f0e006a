import type {
  AccessCredential,
  SSHPublicKeyAccessCredential,
  UserPasswordAccessCredential,
  Volume,
} from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

/** Each credential is of one type, from one source, and takes one way that exists into the guest. */
export function validateAccessCredentials({ path, spec }: SpecScope): readonly Cause[] {
  return (spec.accessCredentials ?? []).flatMap((credential, index) =>
    validateCredential(credential, `${path}.accessCredentials[${index}]`, spec.volumes ?? []),
  );
}

function validateCredential(
  { sshPublicKey, userPassword }: AccessCredential,
  field: string,
  volumes: readonly Volume[],
): readonly Cause[] {
  const isOne = (sshPublicKey === undefined) !== (userPassword === undefined);
  return [
    ...(sshPublicKey === undefined ? [] : validateKey(sshPublicKey, field, volumes)),
    ...(userPassword === undefined ? [] : validatePassword(userPassword, field)),
    ...(isOne ? [] : [invalid(field, `${field} must have exactly one access credential type set`)]),
  ];
}

function validateKey(
  { source, propagationMethod: method }: SSHPublicKeyAccessCredential,
  field: string,
  volumes: readonly Volume[],
): readonly Cause[] {
  const methodField = `${field}.sshPublicKey.propagationMethod`;
  const causes: Cause[] = [];
  if (method.noCloud !== undefined && !volumes.some(({ cloudInitNoCloud }) => cloudInitNoCloud !== undefined)) {
    const message = `${field} requires a noCloud volume to exist when the noCloud propagationMethod is in use.`;
    causes.push(invalid(methodField, message));
  }
  const hasDrive = volumes.some(({ cloudInitConfigDrive }) => cloudInitConfigDrive !== undefined);
  if (method.configDrive !== undefined && !hasDrive) {
    const message = `${field} requires a configDrive volume to exist when the configDrive propagationMethod is in use.`;
    causes.push(invalid(methodField, message));
  }
  if (method.qemuGuestAgent !== undefined && (method.qemuGuestAgent.users ?? []).length === 0) {
    const message = `${field} requires at least one user to be present in the users list`;
    causes.push(invalid(`${methodField}.qemuGuestAgent.users`, message));
  }
  const methods = [method.noCloud, method.configDrive, method.qemuGuestAgent];
  return [...causes, ...exactlyOne(source.secret, methods, `${field}.sshPublicKey`, field)];
}

function validatePassword(
  { source, propagationMethod: method }: UserPasswordAccessCredential,
  field: string,
): readonly Cause[] {
  return exactlyOne(source.secret, [method.qemuGuestAgent], `${field}.userPassword`, field);
}

function exactlyOne(source: unknown, methods: readonly unknown[], field: string, shown: string): readonly Cause[] {
  const isMethodGood = methods.filter((method) => method !== undefined).length === 1;
  return [
    ...(source === undefined ? [invalid(`${field}.source`, `${shown} must have exactly one source set`)] : []),
    ...(isMethodGood
      ? []
      : [invalid(`${field}.propagationMethod`, `${shown} must have exactly one propagationMethod set`)]),
  ];
}
