// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const storage: PackageSource = {
  key: "storage",
  component: "io.k8s.api.storage.v1",
  group: "storage.k8s.io",
  version: "v1",
  kinds: ["CSINode csinodes cluster", "StorageClass storageclasses cluster short=sc", "VolumeAttachment volumeattachments cluster status"],
  enumerations: {
    VolumeBindingMode: ["Immediate", "WaitForFirstConsumer"],
  },
  types: {
    CSINode: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 CSINodeSpec always required",
    CSINodeDriver: "\nname 1 string always required\nnodeID 2 string always required\ntopologyKeys 3 []string always list=atomic\nallocatable 4 VolumeNodeResources *",
    CSINodeSpec: "\ndrivers 1 []CSINodeDriver always required list=map:name patch=merge:name",
    StorageClass: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nprovisioner 2 string always required\nparameters 3 {}string\nreclaimPolicy 4 string=v1.PersistentVolumeReclaimPolicy!core *\nmountOptions 5 []string list=atomic\nallowVolumeExpansion 6 bool *\nvolumeBindingMode 7 string=v1.VolumeBindingMode! *\nallowedTopologies 8 []core/TopologySelectorTerm list=atomic",
    VolumeAttachment: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 VolumeAttachmentSpec always required\nstatus 3 VolumeAttachmentStatus always",
    VolumeAttachmentSource: "\npersistentVolumeName 1 string *\ninlineVolumeSpec 2 core/PersistentVolumeSpec *",
    VolumeAttachmentSpec: "\nattacher 1 string always required\nsource 2 VolumeAttachmentSource always required\nnodeName 3 string always required",
    VolumeAttachmentStatus: "\nattached 1 bool always required\nattachmentMetadata 2 {}string\nattachError 3 VolumeError *\ndetachError 4 VolumeError *",
    VolumeError: "\ntime 1 time always\nmessage 2 string\nerrorCode 3 int32 *",
    VolumeNodeResources: "\ncount 1 int32 *",
  },
};
