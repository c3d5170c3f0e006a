// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const node: PackageSource = {
  key: "node",
  component: "io.k8s.api.node.v1",
  group: "node.k8s.io",
  version: "v1",
  kinds: ["RuntimeClass runtimeclasses cluster"],
  enumerations: {
  },
  types: {
    Overhead: "\npodFixed 1 ({}quantity)=v1.ResourceList",
    RuntimeClass: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nhandler 2 string always required\noverhead 3 Overhead *\nscheduling 4 Scheduling *",
    Scheduling: "\nnodeSelector 1 {}string map=atomic\ntolerations 2 []core/Toleration list=atomic",
  },
};
