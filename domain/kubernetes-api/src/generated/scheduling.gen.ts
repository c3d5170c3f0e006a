// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const scheduling: PackageSource = {
  key: "scheduling",
  component: "io.k8s.api.scheduling.v1",
  group: "scheduling.k8s.io",
  version: "v1",
  kinds: ["PriorityClass priorityclasses cluster short=pc"],
  enumerations: {
  },
  types: {
    PriorityClass: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nvalue 2 int32 always\nglobalDefault 3 bool\ndescription 4 string\npreemptionPolicy 5 string=v1.PreemptionPolicy!core *",
  },
};
