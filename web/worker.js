// SPDX-License-Identifier: GPL-3.0-or-later
// The engine in a worker; emscripten's engine.js comes before this text in one script. A message {id, op, ...} is
// answered by {id, answer} or {id, error}; before that, a run or a search for limits sends {id, share} as it goes on.
// The first message brings the compiled engine and its data.
(() => {
    /** @type {EmscriptenEngine} */
    let engine;
    /** @type {{out: number[], err: number[]}} */
    let said = { out: [], err: [] };
    let asked = 0;
    const utf8 = new TextDecoder(), tell = /** @type {(message: object) => void} */ (postMessage);

    /** @param {string} text */
    const put = (text) => {
        const size = engine.lengthBytesUTF8(text) + 1, at = engine._malloc(size);
        engine.stringToUTF8(text, at, size);
        return at;
    };
    /** Texts among the arguments are copied into the engine's memory and freed afterwards. @param {string} name @param {(string | number)[]} args */
    const call = (name, ...args) => {
        const held = args.map((a) => (typeof a === "string" ? put(a) : a));
        const at = engine[`_wsk_web_${name}`](...held);
        args.forEach((a, i) => typeof a === "string" && engine._free(/** @type {number} */ (held[i])));
        return at;
    };
    const text = (/** @type {string} */ name, /** @type {(string | number)[]} */ ...args) => {
        const at = call(name, ...args), s = at ? engine.UTF8ToString(at) : "";
        if (at) engine._free(at);
        return s;
    };

    /** A TZif file (RFC 8536) of a time zone that always had this rule: two empty blocks of data, and the rule. @param {string} rule */
    const zoneFile = (rule) => {
        const block = "TZif2" + "\0".repeat(34) + "\x01\0\0\0\x01" + "\0".repeat(7);
        return `${block}${block}\n${rule}\n`;
    };
    /** @param {string} path @param {string} content */
    const write = (path, content) => {
        engine.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
        engine.FS.writeFile(path, content);
    };

    /** @type {Record<string, (message: any) => any>} */
    const ops = {
        async start({ module, parts, ja }) {
            engine = await wattsink({
                instantiateWasm: (/** @type {WebAssembly.Imports} */ imports, /** @type {(instance: WebAssembly.Instance) => void} */ done) => {
                    WebAssembly.instantiate(/** @type {WebAssembly.Module} */ (module), imports).then(done);
                    return {};
                },
                stdin: () => null,
                stdout: (/** @type {number} */ c) => said.out.push(c),
                stderr: (/** @type {number} */ c) => said.err.push(c),
            });
            engine.FS.mkdir("/here");
            engine.FS.chdir("/here");
            engine.share = (share) => tell({ id: asked, share });
            const list = parts.split("\0");
            for (let i = 0; i + 1 < list.length; i += 2)
                if (list[i] !== "zones") write("/share/" + list[i], list[i + 1]);
                else for (const [rule, ...names] of list[i + 1].split("\n").map((/** @type {string} */ line) => line.split(" "))) for (const name of names) write("/usr/share/zoneinfo/" + name, zoneFile(rule));
            const at = engine._malloc(ja.length);
            engine.HEAPU8.set(ja, at);
            engine._wsk_web_words(at);
            return text("style");
        },
        point: ({ xml, lang, parts }) => JSON.parse(text("point", xml, lang, parts)),
        parts: ({ family }) => text("parts", family),
        limits: ({ xml }) => JSON.parse(text("limits", xml)),
        /** Returns the command's output, and all files that it leaves in its folder and in out/; these are then removed. */
        command({ argv, files, lang }) {
            const { FS } = engine;
            for (const [name, content] of Object.entries(/** @type {Record<string, string>} */ (files))) FS.writeFile(name, content);
            said = { out: [], err: [] };
            const held = /** @type {string[]} */ (argv).map(put), list = engine._malloc(4 * (held.length + 1));
            held.forEach((at, i) => (engine.HEAPU32[list / 4 + i] = at));
            engine.HEAPU32[list / 4 + held.length] = 0;
            /** @type {Record<string, string>} */
            const left = {};
            const code = engine._wsk_web_command(held.length, list, lang);
            [...held, list].forEach((at) => engine._free(at));
            for (const dir of ["out/", ""].filter((d) => FS.analyzePath("/here/" + d).exists))
                for (const name of FS.readdir("/here/" + dir).filter((n) => FS.isFile(FS.stat("/here/" + dir + n).mode))) {
                    left[name] = FS.readFile(dir + name, { encoding: "utf8" });
                    FS.unlink(dir + name);
                }
            const [out, err] = [said.out, said.err].map((bytes) => utf8.decode(Uint8Array.from(bytes, (c) => c & 255)));
            return { code, out, err, files: left };
        },
        run({ xml, seconds, lang, id }) {
            const slices = 100;
            let status = call("run", xml, seconds);
            for (let i = 1; i <= slices && status === 0; i++) {
                status = call("run_to", i / slices);
                tell({ id, share: i / slices });
            }
            const answer = status ? { status, why: text("run_why", lang) }
                : { status, summary: JSON.parse(text("run_summary")), html: text("run_report", lang) };
            call("run_end");
            return answer;
        },
    };

    let before = Promise.resolve();
    /** @param {any} data */
    const answer = async (data) => {
        asked = data.id;
        try {
            tell({ id: data.id, answer: await ops[data.op](data) });
        } catch (error) {
            tell({ id: data.id, error: String(error) });
        }
    };
    self.onmessage = ({ data }) => (before = before.then(() => answer(data)));
})();
