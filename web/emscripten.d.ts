// SPDX-License-Identifier: GPL-3.0-or-later
// What emscripten's engine.js offers to worker.js. The two are joined to one script, worker.js last.
interface EmscriptenEngine {
    [call: `_wsk_web_${string}`]: (...args: any[]) => number;
    share: (share: number) => void;
    _malloc(size: number): number;
    _free(at: number): void;
    HEAPU8: Uint8Array;
    HEAPU32: Uint32Array;
    UTF8ToString(at: number): string;
    stringToUTF8(text: string, at: number, size: number): void;
    lengthBytesUTF8(text: string): number;
    FS: {
        mkdir(path: string): void;
        mkdirTree(path: string): void;
        chdir(path: string): void;
        readdir(path: string): string[];
        unlink(path: string): void;
        writeFile(path: string, content: string): void;
        readFile(path: string, options: { encoding: "utf8" }): string;
        stat(path: string): { mode: number };
        isFile(mode: number): boolean;
        analyzePath(path: string): { exists: boolean };
    };
}
declare function wattsink(options: object): Promise<EmscriptenEngine>;
