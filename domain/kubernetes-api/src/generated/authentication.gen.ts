// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const authentication: PackageSource = {
  key: "authentication",
  component: "io.k8s.api.authentication.v1",
  group: "authentication.k8s.io",
  version: "v1",
  kinds: ["SelfSubjectReview selfsubjectreviews cluster verbs=create", "TokenReview tokenreviews cluster verbs=create"],
  enumerations: {
  },
  types: {
    BoundObjectReference: "\nkind 1 string\napiVersion 2 string\nname 3 string\nuid 4 string=types.UID",
    SelfSubjectReview: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nstatus 2 SelfSubjectReviewStatus always",
    SelfSubjectReviewStatus: "\nuserInfo 1 UserInfo always",
    TokenRequest: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 TokenRequestSpec always\nstatus 3 TokenRequestStatus always",
    TokenRequestSpec: "\naudiences 1 []string always list=atomic\nexpirationSeconds 4 int64 * always\nboundObjectRef 3 BoundObjectReference * always",
    TokenRequestStatus: "\ntoken 1 string always\nexpirationTimestamp 2 time always",
    TokenReview: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 TokenReviewSpec always required\nstatus 3 TokenReviewStatus always",
    TokenReviewSpec: "\ntoken 1 string required\naudiences 2 []string list=atomic",
    TokenReviewStatus: "\nauthenticated 1 bool\nuser 2 UserInfo always\naudiences 4 []string list=atomic\nerror 3 string",
    UserInfo: "\nusername 1 string\nuid 2 string\ngroups 3 []string list=atomic\nextra 4 {}(~[]string)=v1.ExtraValue",
  },
};
