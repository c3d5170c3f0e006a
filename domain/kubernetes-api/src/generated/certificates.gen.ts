// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const certificates: PackageSource = {
  key: "certificates",
  component: "io.k8s.api.certificates.v1",
  group: "certificates.k8s.io",
  version: "v1",
  kinds: ["CertificateSigningRequest certificatesigningrequests cluster short=csr sub=approval:CertificateSigningRequest:get,patch,update status"],
  enumerations: {
    KeyUsage: ["any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"],
  },
  types: {
    CertificateSigningRequest: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 CertificateSigningRequestSpec always required\nstatus 3 CertificateSigningRequestStatus always",
    CertificateSigningRequestCondition: "\ntype 1 string=v1.RequestConditionType always required\nstatus 6 string=v1.ConditionStatus always required\nreason 2 string\nmessage 3 string\nlastUpdateTime 4 time always\nlastTransitionTime 5 time always",
    CertificateSigningRequestSpec: "\nrequest 1 bytes always required\nsignerName 7 string always required\nexpirationSeconds 8 int32 *\nusages 5 []string=v1.KeyUsage! list=atomic\nusername 2 string\nuid 3 string\ngroups 4 []string list=atomic\nextra 6 {}(~[]string)=v1.ExtraValue",
    CertificateSigningRequestStatus: "\nconditions 1 []CertificateSigningRequestCondition list=map:type\ncertificate 2 bytes",
  },
};
