import { flag, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

const bios: TSchema = shape({
  name: 'BIOS',
  description: 'The classic firmware.',
  fields: {
    useSerial: flag('Show what it prints on the serial console.'),
  },
});

export const efi: TSchema = shape({
  name: 'EFI',
  description: 'The UEFI firmware.',
  fields: {
    persistent: flag('Keep its variables when the virtual machine is stopped.'),
    secureBoot: flag('Boot only what is signed; true when not set.'),
  },
});

const bootloader: TSchema = shape({
  name: 'Bootloader',
  description: 'What boots the guest.',
  fields: {
    bios: of(bios, 'The classic firmware.'),
    efi: of(efi, 'The UEFI firmware.'),
  },
});

const kernelBootContainer: TSchema = shape({
  name: 'KernelBootContainer',
  description: 'A container image that holds a kernel.',
  required: ['image'],
  fields: {
    image: text('The image.'),
    imagePullPolicy: text('When the image is pulled: `Always`, `IfNotPresent` or `Never`.'),
    imagePullSecret: text('The Secret that is needed to pull it.'),
    initrdPath: text('The path of the initial RAM disk in the image.'),
    kernelPath: text('The path of the kernel in the image.'),
  },
});

const kernelBoot: TSchema = shape({
  name: 'KernelBoot',
  description: 'Boot a kernel without a boot loader.',
  fields: {
    container: of(kernelBootContainer, 'The image that holds the kernel.'),
    kernelArgs: text('What the kernel is started with.'),
  },
});

const acpi: TSchema = shape({
  name: 'ACPI',
  description: 'Tables that the firmware hands to the guest.',
  fields: {
    msdmNameRef: text('The Secret volume that holds the licence table of Windows.'),
    slicNameRef: text('The Secret volume that holds the licence table of older Windows.'),
  },
});

export const firmware: TSchema = shape({
  name: 'Firmware',
  description: 'What starts the guest.',
  fields: {
    acpi: of(acpi, 'Tables that the firmware hands to the guest.'),
    bootloader: of(bootloader, 'What boots the guest.'),
    kernelBoot: of(kernelBoot, 'Boot a kernel without a boot loader.'),
    serial: text('The serial number of the machine that the guest sees.'),
    uuid: text('The id of the machine that the guest sees; one is made up when not set.'),
  },
});
