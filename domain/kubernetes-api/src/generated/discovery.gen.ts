// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const discovery: PackageSource = {
  key: "discovery",
  component: "io.k8s.api.discovery.v1",
  group: "discovery.k8s.io",
  version: "v1",
  kinds: ["EndpointSlice endpointslices namespaced"],
  enumerations: {
    AddressType: [],
  },
  types: {
    Endpoint: "\naddresses 1 []string always required list=set\nconditions 2 EndpointConditions always\nhostname 3 string *\ntargetRef 4 core/ObjectReference *\ndeprecatedTopology 5 {}string\nnodeName 6 string *\nzone 7 string *\nhints 8 EndpointHints *",
    EndpointConditions: "\nready 1 bool *\nserving 2 bool *\nterminating 3 bool *",
    EndpointHints: "\nforZones 1 []ForZone list=atomic\nforNodes 2 []ForNode list=atomic",
    EndpointPort: "atomic\nname 1 string *\nprotocol 2 string=v1.Protocol!core *\nport 3 int32 *\nappProtocol 4 string *",
    EndpointSlice: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\naddressType 4 string=v1.AddressType! always required\nendpoints 2 []Endpoint always list=atomic\nports 3 []EndpointPort always list=atomic",
    ForNode: "\nname 1 string always required",
    ForZone: "\nname 1 string always required",
  },
};
