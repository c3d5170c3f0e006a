import { flag, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

const sevAttestation: TSchema = shape({
  name: 'SEVAttestation',
  description: 'The guest waits until it has been attested.',
  fields: {},
});

const sevPolicy: TSchema = shape({
  name: 'SEVPolicy',
  description: 'What is protected.',
  fields: {
    encryptedState: flag('Encrypt the registers too.'),
  },
});

const sev: TSchema = shape({
  name: 'SEV',
  description: 'Encrypted memory by AMD SEV.',
  fields: {
    attestation: of(sevAttestation, 'The guest waits until it has been attested.'),
    dhCert: text('The key of the owner, in base64.'),
    policy: of(sevPolicy, 'What is protected.'),
    session: text('The session of the owner, in base64.'),
  },
});

const sevsnp: TSchema = shape({
  name: 'SEVSNP',
  description: 'Encrypted and guarded memory by AMD SEV-SNP.',
  fields: {},
});

const tdx: TSchema = shape({
  name: 'TDX',
  description: 'Encrypted and guarded memory by Intel TDX.',
  fields: {},
});

export const launchSecurity: TSchema = shape({
  name: 'LaunchSecurity',
  description: 'How the guest is shielded from its host.',
  fields: {
    sev: of(sev, 'By AMD SEV.'),
    snp: of(sevsnp, 'By AMD SEV-SNP.'),
    tdx: of(tdx, 'By Intel TDX.'),
  },
});
