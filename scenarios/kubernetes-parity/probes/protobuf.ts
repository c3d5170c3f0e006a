import { CONFIG_MAPS, DEPLOYMENTS, SECRETS, SERVICES } from '../paths.ts';
import { post, probe, type Probe } from '../probe.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const headers = { 'content-type': PROTOBUF, accept: 'application/json' };

/** What kubectl sends: the bodies were recorded from it. */
export const protobufProbes: readonly Probe[] = [
  probe(
    'the protobuf of kubectl create cm settings',
    post(
      CONFIG_MAPS,
      Buffer.from(
        'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEjQKGAoIc2V0dGluZ3MSABoAIgAqADIAOABCABINCgVjb2xvchIEYmx1ZRIJCgRzaXplEgEzGgAiAA==',
        'base64',
      ),
      { headers },
    ),
  ),
  probe(
    'the protobuf of kubectl create secret generic login',
    post(
      SECRETS,
      Buffer.from(
        'azhzAAoMCgJ2MRIGU2VjcmV0EjgKFQoFbG9naW4SABoAIgAqADIAOABCABIQCghwYXNzd29yZBIEcGE1NRILCgR1c2VyEgNldmUaABoAIgA=',
        'base64',
      ),
      { headers },
    ),
  ),
  probe(
    'the protobuf of kubectl create deployment web',
    post(
      DEPLOYMENTS,
      Buffer.from(
        'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50Er0BCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEosBCAMSDAoKCgNhcHASA3dlYhpxChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViElESMwoFbmdpbngSCm5naW54OjEuMjcqADIKCgAQABhQIgAqAEIAagByAIABAIgBAJABAKIBABoAMgBCAEoAUgBYAGAAaACCAQCKAQCaAQDCAQAiAgoAKAA4ABoMCAAQABgAIAAoADgAGgAiAA==',
        'base64',
      ),
      { headers },
    ),
  ),
  probe(
    'the protobuf of kubectl create service nodeport web',
    post(
      SERVICES,
      Buffer.from(
        'azhzAAoNCgJ2MRIHU2VydmljZRJqCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkMKHQoHODAtODA4MBIDVENQGFAiBwgAEJA/GgAogOsBEgoKA2FwcBIDd2ViGgAiCE5vZGVQb3J0OgBCAFIAWgBgAGgAGgIKABoAIgA=',
        'base64',
      ),
      { headers },
    ),
  ),
  probe(
    'protobuf that cannot be read',
    post(CONFIG_MAPS, Buffer.from('k8s\0nonsense'), { headers }),
    post(CONFIG_MAPS, Buffer.from('nonsense'), { headers }),
  ),
];
