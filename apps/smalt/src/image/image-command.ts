import { Command } from 'commander';

import { withOutputFlag } from '../output/command-flags.ts';
import type * as RunImageCommand from './run-image-command.ts';
import type { ImageProgram } from './run-image-command.ts';

const DEFAULT_DIRECTORY = '/var/lib/smalt/images';

/** `smalt image`: the disk images of this machine, which virtual machines name in `containerDisk.image`. */
export function imageCommand(program: () => ImageProgram): Command {
  const image = new Command('image').description('keep disk images on this machine, for containerDisk volumes');
  withCommonFlags(image.command('import <file> <name>'))
    .description('take a raw or qcow2 image under a name, such as demo or quay.io/containerdisks/fedora:40')
    .action(
      async (file: string, name: string, flags: object) =>
        await (await load()).runImport(program(), { file, name }, { ...flags }),
    );
  withCommonFlags(image.command('import-kernel <kernel> <name>'))
    .description('take a kernel under a name, for kernelBoot with kernelPath /boot/vmlinuz and initrdPath /boot/initrd')
    .option('--initrd <file>', 'what it starts with')
    .action(
      async (kernel: string, name: string, flags: object) =>
        await (await load()).runImportKernel(program(), { kernel, name }, { ...flags }),
    );
  withCommonFlags(image.command('list'))
    .description('list them')
    .action(async (flags: object) => await (await load()).runList(program(), { ...flags }));
  withCommonFlags(image.command('remove <name>'))
    .description('remove one that no virtual machine uses')
    .action(async (name: string, flags: object) => await (await load()).runRemove(program(), name, { ...flags }));
  withCommonFlags(image.command('build-demo [name]'))
    .description('make a small Linux that boots in seconds, and take it under a name (default: demo)')
    .option('--word <word>', 'what it does once it is up, such as tick; may be given again (default: login)', again)
    .action(
      async (name: string | undefined, flags: object) =>
        await (await load()).runBuildDemo(program(), name ?? 'demo', { ...flags }),
    );
  return image;
}

/** What the commands need is loaded when one is given. */
async function load(): Promise<typeof RunImageCommand> {
  return await import('./run-image-command.ts');
}

function withCommonFlags(command: Command): Command {
  return withOutputFlag(command.option('--images <directory>', 'where the images are', DEFAULT_DIRECTORY));
}

function again(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
}
