// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const apiextensions: PackageSource = {
  key: "apiextensions",
  component: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
  group: "apiextensions.k8s.io",
  version: "v1",
  kinds: ["CustomResourceDefinition customresourcedefinitions cluster short=crd,crds category=api-extensions status"],
  enumerations: {
    FieldValueErrorReason: ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"],
  },
  types: {
    CustomResourceColumnDefinition: "\nname 1 string always required\ntype 2 string always required\nformat 3 string\ndescription 4 string\npriority 5 int32\njsonPath 6 string always required",
    CustomResourceConversion: "\nstrategy 1 string=v1.ConversionStrategyType always required\nwebhook 2 WebhookConversion *",
    CustomResourceDefinition: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 CustomResourceDefinitionSpec always required\nstatus 3 CustomResourceDefinitionStatus always",
    CustomResourceDefinitionCondition: "\ntype 1 string=v1.CustomResourceDefinitionConditionType always required\nstatus 2 string=v1.ConditionStatus always required\nlastTransitionTime 3 time always\nreason 4 string\nmessage 5 string\nobservedGeneration 6 int64",
    CustomResourceDefinitionNames: "\nplural 1 string always required\nsingular 2 string\nshortNames 3 []string list=atomic\nkind 4 string always required\nlistKind 5 string\ncategories 6 []string list=atomic",
    CustomResourceDefinitionSpec: "\ngroup 1 string always required\nnames 3 CustomResourceDefinitionNames always required\nscope 4 string=v1.ResourceScope always required\nversions 7 []CustomResourceDefinitionVersion always required list=atomic\nconversion 9 CustomResourceConversion *\npreserveUnknownFields 10 bool",
    CustomResourceDefinitionStatus: "\nconditions 1 []CustomResourceDefinitionCondition always list=map:type\nacceptedNames 2 CustomResourceDefinitionNames always\nstoredVersions 3 []string always list=atomic\nobservedGeneration 4 int64",
    CustomResourceDefinitionVersion: "\nname 1 string always required\nserved 2 bool always required\nstorage 3 bool always required\ndeprecated 7 bool\ndeprecationWarning 8 string *\nschema 4 CustomResourceValidation *\nsubresources 5 CustomResourceSubresources *\nadditionalPrinterColumns 6 []CustomResourceColumnDefinition list=atomic\nselectableFields 9 []SelectableField list=atomic",
    CustomResourceSubresourceScale: "\nspecReplicasPath 1 string always required\nstatusReplicasPath 2 string always required\nlabelSelectorPath 3 string *",
    CustomResourceSubresourceStatus: "",
    CustomResourceSubresources: "\nstatus 1 CustomResourceSubresourceStatus *\nscale 2 CustomResourceSubresourceScale *",
    CustomResourceValidation: "\nopenAPIV3Schema 1 JSONSchemaProps *",
    ExternalDocumentation: "\ndescription 1 string\nurl 2 string",
    JSONSchemaProps: "\nid 1 string\n$schema 2 string=v1.JSONSchemaURL\n$ref 3 string *\ndescription 4 string\ntype 5 string\nformat 6 string\ntitle 7 string\ndefault 8 json *\nmaximum 9 double *\nexclusiveMaximum 10 bool\nminimum 11 double *\nexclusiveMinimum 12 bool\nmaxLength 13 int64 *\nminLength 14 int64 *\npattern 15 string\nmaxItems 16 int64 *\nminItems 17 int64 *\nuniqueItems 18 bool\nmultipleOf 19 double *\nenum 20 []json list=atomic\nmaxProperties 21 int64 *\nminProperties 22 int64 *\nrequired 23 []string list=atomic\nitems 24 schemaOrArray *\nallOf 25 []JSONSchemaProps list=atomic\noneOf 26 []JSONSchemaProps list=atomic\nanyOf 27 []JSONSchemaProps list=atomic\nnot 28 JSONSchemaProps *\nproperties 29 {}JSONSchemaProps\nadditionalProperties 30 schemaOrBool *\npatternProperties 31 {}JSONSchemaProps\ndependencies 32 ({}schemaOrStrings)=v1.JSONSchemaDependencies\nadditionalItems 33 schemaOrBool *\ndefinitions 34 ({}JSONSchemaProps)=v1.JSONSchemaDefinitions\nexternalDocs 35 ExternalDocumentation *\nexample 36 json *\nnullable 37 bool\nx-kubernetes-preserve-unknown-fields 38 bool *\nx-kubernetes-embedded-resource 39 bool\nx-kubernetes-int-or-string 40 bool\nx-kubernetes-list-map-keys 41 []string list=atomic\nx-kubernetes-list-type 42 string *\nx-kubernetes-map-type 43 string *\nx-kubernetes-validations 44 ([]ValidationRule)=v1.ValidationRules list=map:rule patch=merge:rule",
    SelectableField: "\njsonPath 1 string always required",
    ServiceReference: "\nnamespace 1 string always required\nname 2 string always required\npath 3 string *\nport 4 int32 *",
    ValidationRule: "\nrule 1 string always required\nmessage 2 string\nmessageExpression 3 string\nreason 4 string=v1.FieldValueErrorReason! *\nfieldPath 5 string\noptionalOldSelf 6 bool *",
    WebhookClientConfig: "\nurl 3 string *\nservice 1 ServiceReference *\ncaBundle 2 bytes",
    WebhookConversion: "\nclientConfig 2 WebhookClientConfig *\nconversionReviewVersions 3 []string always required list=atomic",
  },
};
