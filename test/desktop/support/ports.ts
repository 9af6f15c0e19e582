import { readFile, readdir, readlink } from 'node:fs/promises'

/** A socket of a process that waits for connections: where, as `/proc/net/tcp` writes it, address and port in hexadecimal. */
export type Listening = { readonly address: string; readonly port: number }

const listenState = '0A'

/** The TCP sockets that a process listens on (Linux). */
export async function listeningOf(pid: number): Promise<Listening[]> {
  const fds = await readdir(`/proc/${pid}/fd`)
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')))
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === listenState && inode !== undefined && inodes.has(inode))
    .map(([, local = '']) => ({ address: local.split(':')[0] ?? '', port: parseInt(local.split(':')[1] ?? '', 16) }))
}

/** 127.0.0.1 as `/proc/net/tcp` writes it. */
export const loopbackHex = '0100007F'
