// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const authorization: PackageSource = {
  key: "authorization",
  component: "io.k8s.api.authorization.v1",
  group: "authorization.k8s.io",
  version: "v1",
  kinds: ["LocalSubjectAccessReview localsubjectaccessreviews namespaced verbs=create", "SelfSubjectAccessReview selfsubjectaccessreviews cluster verbs=create", "SelfSubjectRulesReview selfsubjectrulesreviews cluster verbs=create", "SubjectAccessReview subjectaccessreviews cluster verbs=create"],
  enumerations: {
  },
  types: {
    FieldSelectorAttributes: "\nrawSelector 1 string\nrequirements 2 []meta/FieldSelectorRequirement list=atomic",
    LabelSelectorAttributes: "\nrawSelector 1 string\nrequirements 2 []meta/LabelSelectorRequirement list=atomic",
    LocalSubjectAccessReview: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 SubjectAccessReviewSpec always required\nstatus 3 SubjectAccessReviewStatus always",
    NonResourceAttributes: "\npath 1 string\nverb 2 string",
    NonResourceRule: "\nverbs 1 []string always required list=atomic\nnonResourceURLs 2 []string list=atomic",
    ResourceAttributes: "\nnamespace 1 string\nverb 2 string\ngroup 3 string\nversion 4 string\nresource 5 string\nsubresource 6 string\nname 7 string\nfieldSelector 8 FieldSelectorAttributes *\nlabelSelector 9 LabelSelectorAttributes *",
    ResourceRule: "\nverbs 1 []string always required list=atomic\napiGroups 2 []string list=atomic\nresources 3 []string list=atomic\nresourceNames 4 []string list=atomic",
    SelfSubjectAccessReview: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 SelfSubjectAccessReviewSpec always required\nstatus 3 SubjectAccessReviewStatus always",
    SelfSubjectAccessReviewSpec: "\nresourceAttributes 1 ResourceAttributes *\nnonResourceAttributes 2 NonResourceAttributes *",
    SelfSubjectRulesReview: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 SelfSubjectRulesReviewSpec always required\nstatus 3 SubjectRulesReviewStatus always",
    SelfSubjectRulesReviewSpec: "\nnamespace 1 string",
    SubjectAccessReview: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 SubjectAccessReviewSpec always required\nstatus 3 SubjectAccessReviewStatus always",
    SubjectAccessReviewSpec: "\nresourceAttributes 1 ResourceAttributes *\nnonResourceAttributes 2 NonResourceAttributes *\nuser 3 string\ngroups 4 []string list=atomic\nextra 5 {}(~[]string)=v1.ExtraValue\nuid 6 string",
    SubjectAccessReviewStatus: "\nallowed 1 bool always required\ndenied 4 bool\nreason 2 string\nevaluationError 3 string",
    SubjectRulesReviewStatus: "\nresourceRules 1 []ResourceRule always required list=atomic\nnonResourceRules 2 []NonResourceRule always required list=atomic\nincomplete 3 bool always required\nevaluationError 4 string",
  },
};
