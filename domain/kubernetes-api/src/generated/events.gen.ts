// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const events: PackageSource = {
  key: "events",
  component: "io.k8s.api.events.v1",
  group: "events.k8s.io",
  version: "v1",
  kinds: ["Event events namespaced short=ev"],
  enumerations: {
  },
  types: {
    Event: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\neventTime 2 microtime always required\nseries 3 EventSeries *\nreportingController 4 string\nreportingInstance 5 string\naction 6 string\nreason 7 string\nregarding 8 core/ObjectReference always\nrelated 9 core/ObjectReference *\nnote 10 string\ntype 11 string\ndeprecatedSource 12 core/EventSource always\ndeprecatedFirstTimestamp 13 time always\ndeprecatedLastTimestamp 14 time always\ndeprecatedCount 15 int32",
    EventSeries: "\ncount 1 int32 always required\nlastObservedTime 2 microtime always required",
  },
};
