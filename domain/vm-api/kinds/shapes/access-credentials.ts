import { of, setOf, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

const accessCredentialSecretSource: TSchema = shape({
  name: 'AccessCredentialSecretSource',
  description: 'A Secret that holds credentials.',
  required: ['secretName'],
  fields: {
    secretName: text('The name of the Secret.'),
  },
});

const configDriveSSHPublicKeyAccessCredentialPropagation: TSchema = shape({
  name: 'ConfigDriveSSHPublicKeyAccessCredentialPropagation',
  description: 'Through the config drive of cloud-init.',
  fields: {},
});

const noCloudSSHPublicKeyAccessCredentialPropagation: TSchema = shape({
  name: 'NoCloudSSHPublicKeyAccessCredentialPropagation',
  description: 'Through the NoCloud disk of cloud-init.',
  fields: {},
});

const qemuGuestAgentSSHPublicKeyAccessCredentialPropagation: TSchema = shape({
  name: 'QemuGuestAgentSSHPublicKeyAccessCredentialPropagation',
  description: 'Through the guest agent.',
  required: ['users'],
  fields: {
    users: setOf(text(''), 'The users of the guest that get the keys.'),
  },
});

const sshPublicKeyAccessCredentialPropagationMethod: TSchema = shape({
  name: 'SSHPublicKeyAccessCredentialPropagationMethod',
  description: 'How keys get into the guest; exactly one is set.',
  fields: {
    configDrive: of(configDriveSSHPublicKeyAccessCredentialPropagation, 'Through the config drive of cloud-init.'),
    noCloud: of(noCloudSSHPublicKeyAccessCredentialPropagation, 'Through the NoCloud disk of cloud-init.'),
    qemuGuestAgent: of(qemuGuestAgentSSHPublicKeyAccessCredentialPropagation, 'Through the guest agent.'),
  },
});

const sshPublicKeyAccessCredentialSource: TSchema = shape({
  name: 'SSHPublicKeyAccessCredentialSource',
  description: 'Where keys come from.',
  fields: {
    secret: of(accessCredentialSecretSource, 'The Secret that holds them.'),
  },
});

const sshPublicKeyAccessCredential: TSchema = shape({
  name: 'SSHPublicKeyAccessCredential',
  description: 'Keys that let people in by SSH.',
  required: ['propagationMethod', 'source'],
  fields: {
    propagationMethod: of(sshPublicKeyAccessCredentialPropagationMethod, 'How they get into the guest.'),
    source: of(sshPublicKeyAccessCredentialSource, 'Where they come from.'),
  },
});

const qemuGuestAgentUserPasswordAccessCredentialPropagation: TSchema = shape({
  name: 'QemuGuestAgentUserPasswordAccessCredentialPropagation',
  description: 'Through the guest agent.',
  fields: {},
});

const userPasswordAccessCredentialPropagationMethod: TSchema = shape({
  name: 'UserPasswordAccessCredentialPropagationMethod',
  description: 'How passwords get into the guest.',
  fields: {
    qemuGuestAgent: of(qemuGuestAgentUserPasswordAccessCredentialPropagation, 'Through the guest agent.'),
  },
});

const userPasswordAccessCredentialSource: TSchema = shape({
  name: 'UserPasswordAccessCredentialSource',
  description: 'Where passwords come from.',
  fields: {
    secret: of(accessCredentialSecretSource, 'The Secret that holds them, by user.'),
  },
});

const userPasswordAccessCredential: TSchema = shape({
  name: 'UserPasswordAccessCredential',
  description: 'Passwords of users of the guest.',
  required: ['propagationMethod', 'source'],
  fields: {
    propagationMethod: of(userPasswordAccessCredentialPropagationMethod, 'How they get into the guest.'),
    source: of(userPasswordAccessCredentialSource, 'Where they come from.'),
  },
});

export const accessCredential: TSchema = shape({
  name: 'AccessCredential',
  description: 'Credentials that are put into the guest; exactly one is set.',
  fields: {
    sshPublicKey: of(sshPublicKeyAccessCredential, 'Keys that let people in by SSH.'),
    userPassword: of(userPasswordAccessCredential, 'Passwords of users of the guest.'),
  },
});
