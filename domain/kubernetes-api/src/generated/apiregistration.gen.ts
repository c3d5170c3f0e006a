// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const apiregistration: PackageSource = {
  key: "apiregistration",
  component: "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
  group: "apiregistration.k8s.io",
  version: "v1",
  kinds: ["APIService apiservices cluster category=api-extensions status"],
  enumerations: {
  },
  types: {
    APIService: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 APIServiceSpec always\nstatus 3 APIServiceStatus always",
    APIServiceCondition: "\ntype 1 string=v1.APIServiceConditionType always required\nstatus 2 string=v1.ConditionStatus always required\nlastTransitionTime 3 time always\nreason 4 string\nmessage 5 string",
    APIServiceSpec: "\nservice 1 ServiceReference *\ngroup 2 string\nversion 3 string\ninsecureSkipTLSVerify 4 bool\ncaBundle 5 bytes list=atomic\ngroupPriorityMinimum 7 int32 always required\nversionPriority 8 int32 always required",
    APIServiceStatus: "\nconditions 1 []APIServiceCondition list=map:type patch=merge:type",
    ServiceReference: "\nnamespace 1 string\nname 2 string\nport 3 int32 *",
  },
};
