// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const resource: PackageSource = {
  key: "resource",
  component: "io.k8s.api.resource.v1",
  group: "resource.k8s.io",
  version: "v1",
  kinds: ["ResourceClaimTemplate resourceclaimtemplates namespaced"],
  enumerations: {
    DeviceAllocationMode: ["All", "ExactCount"],
    DeviceTaintEffect: ["NoExecute", "NoSchedule"],
    DeviceTolerationOperator: ["Equal", "Exists"],
  },
  types: {
    CELDeviceSelector: "\nexpression 1 string always required",
    CapacityRequirements: "\nrequests 1 {}quantity",
    DeviceClaim: "\nrequests 1 []DeviceRequest list=atomic\nconstraints 2 []DeviceConstraint list=atomic\nconfig 3 []DeviceClaimConfiguration list=atomic",
    DeviceClaimConfiguration: "\nrequests 1 []string list=atomic\n- 2 DeviceConfiguration inline",
    DeviceConfiguration: "\nopaque 1 OpaqueDeviceConfiguration *",
    DeviceConstraint: "\nrequests 1 []string list=atomic\nmatchAttribute 2 string *\ndistinctAttribute 3 string *",
    DeviceRequest: "\nname 1 string always required\nexactly 2 ExactDeviceRequest *\nfirstAvailable 3 []DeviceSubRequest list=atomic",
    DeviceSelector: "\ncel 1 CELDeviceSelector *",
    DeviceSubRequest: "\nname 1 string always required\ndeviceClassName 2 string always required\nselectors 3 []DeviceSelector list=atomic\nallocationMode 4 string=v1.DeviceAllocationMode!\ncount 5 int64\ntolerations 6 []DeviceToleration list=atomic\ncapacity 7 CapacityRequirements *",
    DeviceToleration: "\nkey 1 string\noperator 2 string=v1.DeviceTolerationOperator! default=\"Equal\"\nvalue 3 string\neffect 4 string=v1.DeviceTaintEffect!\ntolerationSeconds 5 int64 *",
    ExactDeviceRequest: "\ndeviceClassName 1 string always required\nselectors 2 []DeviceSelector list=atomic\nallocationMode 3 string=v1.DeviceAllocationMode!\ncount 4 int64\nadminAccess 5 bool *\ntolerations 6 []DeviceToleration list=atomic\ncapacity 7 CapacityRequirements *",
    OpaqueDeviceConfiguration: "\ndriver 1 string always required\nparameters 2 raw always required",
    ResourceClaimSpec: "\ndevices 1 DeviceClaim",
    ResourceClaimTemplate: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 ResourceClaimTemplateSpec always required",
    ResourceClaimTemplateSpec: "\nmetadata 1 meta/ObjectMeta\nspec 2 ResourceClaimSpec always required",
  },
};
