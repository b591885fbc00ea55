/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The style sheet of the report. The page's content security policy names its digest and allows no other style. */
#include <stdint.h>
#include <string.h>

#include "draw/report.h"

const char *const wsk_report_css[] = {
    ":root{color-scheme:light "
    "dark;--bg:#fff;--fg:#1b1f24;--mute:#5a646f;--line:#d8dde3;--card:#f5f7f9;--good:#1a7f37;"
    "--warn:#9a6700;--bad:#c1272d;--room:#4f94d4;--case:#8a9aa9;--near:#e59a3c;--own:#cf4b3f;--loss:#b0795a;"
    "--c0:#1f6fb4;--c1:#d9730d;--c2:#2a8f57;--c3:#b0399a;--c4:#6a51c7;--c5:#9a7b00;--c6:#0e8a98;--c7:#c1272d;--t0:#"
    "c98a0c;--t1:#c1272d;--t2:#8c3fb0;--t3:#1b1f24}",
    "@media(prefers-color-scheme:dark){:root{--bg:#14181d;--fg:#e6eaee;--mute:#9aa6b2;--line:#343c45;--card:#1d232a;"
    "--good:#4cc26b;--warn:#e0b040;--bad:#ff7b72;--room:#4f94d4;--case:#7d8b99;--near:#d98f35;--own:#d9584c;--loss:#"
    "b98465;"
    "--c0:#62aef0;--c1:#f0984a;--c2:#5cc98c;--c3:#e07fd0;--c4:#a796f5;--c5:#d6b93a;--c6:#4ccbd8;--c7:#ff7b72;--t0:#"
    "e0a62e;--t1:#ff7b72;--t2:#c58af0;--t3:#e6eaee}}",
    "*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}"
    "body{margin:0 auto;padding:1.2rem clamp(.9rem,3vw,2rem) "
    "3rem;max-width:76rem;background:var(--bg);color:var(--fg);"
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:break-word}",
    "h1{font-size:1.65rem;line-height:1.2;margin:.2rem 0}h2{font-size:1.2rem;margin:2.4rem 0 .6rem;padding-top:.5rem;"
    "border-top:1px solid var(--line)}h3{font-size:1rem;margin:1.2rem 0 .3rem}p{margin:.4rem 0}"
    ".sub,figcaption small,.note{color:var(--mute);font-size:.875rem}figure{margin:0}"
    "figcaption{font-weight:600;margin:.2rem 0}figcaption small{font-weight:400}",
    ".verdict{list-style:none;margin:1rem 0 0;padding:0;display:grid;gap:.5rem}"
    ".verdict li{background:var(--card);border-left:5px solid var(--mute);border-radius:4px;padding:.5rem .8rem "
    ".5rem 9.9rem;position:relative}"
    ".verdict li.good{border-color:var(--good)}.verdict li.warn{border-color:var(--warn)}.verdict "
    "li.bad{border-color:var(--bad)}"
    ".verdict b{position:absolute;left:2.1rem}.verdict .mark{position:absolute;left:.8rem}"
    "@media(max-width:36rem){.verdict li{padding-left:.8rem}.verdict b,.verdict "
    ".mark{position:static;margin-right:.4rem}}"
    ".good .mark{color:var(--good)}.warn .mark{color:var(--warn)}"
    ".bad .mark{color:var(--bad)}.mark{font-weight:700}"
    ".headline{font-size:1.25rem;font-weight:600;margin:.7rem 0}h1,.headline{text-wrap:balance}.verdict "
    "li{text-wrap:pretty}",
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.6rem;margin:1rem 0}"
    ".tiles div{background:var(--card);border-radius:6px;padding:.5rem .55rem}.tiles "
    "dt{color:var(--mute);font-size:.8rem}"
    ".tiles dd{margin:0;font-size:1.1rem;font-weight:600;font-variant-numeric:tabular-nums}.tiles{padding:0}.tiles "
    "small{display:inline-block;font-size:.8rem;font-weight:400}",
    ".scroll{overflow-x:auto;max-width:100%;margin:.6rem 0;background:linear-gradient(to right,var(--bg) "
    "40%,transparent) 0 0/3rem 100%,linear-gradient(to left,var(--bg) 40%,transparent) 100% 0/3rem 100%,"
    "linear-gradient(to right,#7779,transparent) 0 0/.8rem 100%,linear-gradient(to left,#7779,transparent) 100% "
    "0/.8rem 100%;background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}"
    "table{border-collapse:collapse;font-size:.875rem;"
    "font-variant-numeric:tabular-nums;min-width:30rem}caption{text-align:left;font-weight:600;padding:.3rem 0}"
    "th,td{padding:.28rem .45rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}"
    "th:first-child,td:first-child,.l{text-align:left}tbody th,td{white-space:nowrap}.src "
    "td{white-space:normal}thead th{color:var(--mute);font-weight:600;vertical-align:bottom;min-width:4.5rem}"
    ".src td,.src th{text-align:left;min-width:6rem}.src td:last-child{min-width:20rem}",
    "details{margin:.4rem 0}summary{cursor:pointer;padding:.15rem 0}details details,details "
    "p{margin-left:1.2rem}code{font-size:.9em}"
    ".pair{display:grid;gap:.2rem 1.2rem;grid-template-columns:1fr;margin:1rem 0}"
    "@media(min-width:56rem){.pair.two{grid-template-columns:2.4fr 1fr}}.pair>*{min-width:0}",
    ".key{list-style:none;display:flex;flex-wrap:wrap;gap:.1rem 1rem;margin:.2rem 0;padding:0;font-size:.8125rem}"
    ".key "
    "i{display:inline-block;width:1.1rem;height:.32rem;border-radius:2px;margin-right:.35rem;vertical-align:middle}"
    ".key i.sq{width:.8rem;height:.8rem}",
    "svg{display:block;max-width:100%}svg text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Noto "
    "Sans',sans-serif;"
    "fill:var(--fg)}.draw{min-width:44rem;width:100%;height:auto}.wide{min-width:0}.phone{display:none;min-width:0}"
    "svg .m{fill:var(--mute)}svg .e{text-anchor:end}svg .c{text-anchor:middle}"
    "svg .b{font-weight:600}.ax{overflow:visible;margin-left:2.7rem;width:calc(100% - "
    "2.7rem)}.halo{paint-order:stroke;stroke:var(--bg);stroke-width:3px}"
    ".dots{fill:none;stroke:var(--fg);stroke-width:2.6;stroke-linecap:round;vector-effect:non-scaling-stroke}.pale{"
    "stroke:var(--mute);background:var(--mute)}.held{fill:var(--fg);opacity:.09}.key i.held{background:var(--fg)}"
    ".key i.dot{width:.4rem;height:.4rem;border-radius:50%}.key i.dot:not(.pale){background:var(--fg)}.key "
    "i.bd0{background:var(--c0);opacity:.3}"
    ".g{stroke:var(--line)}.hot{fill:var(--warn);opacity:.16}.ln{fill:none;stroke-width:1.6;vector-effect:non-"
    "scaling-stroke;"
    "stroke-linejoin:round}.bd{opacity:.2}.many .bd{opacity:.11}",
    ".wall{fill:none;stroke:var(--mute);stroke-width:3}.open{fill:none;stroke:var(--mute);stroke-width:1.5;stroke-"
    "dasharray:7 5}"
    ".guess{fill:none;stroke:var(--fg);stroke-width:1.6;stroke-dasharray:6 "
    "4}.slot{stroke:var(--line);stroke-dasharray:2 4}.vent{stroke:var(--bg);stroke-width:4;stroke-dasharray:4 4}"
    ".part{fill:var(--card);stroke:var(--mute)}.fin{stroke:var(--mute);stroke-width:1}.air{fill:var(--room)}.warm{"
    "fill:var(--own)}"
    "svg .on-d{fill:#14181d}svg "
    ".on-l{fill:#fff}.edge{stroke:#0006}.hook{fill:none}.shade{stroke:#0007}.rot{opacity:.35}",
    ".f-room{fill:var(--room);background:var(--room)}.f-case{fill:var(--case);background:var(--case)}"
    ".f-near{fill:var(--near);background:var(--near)}.f-own{fill:var(--own);background:var(--own)}"
    ".f-loss{fill:var(--loss);background:var(--loss)}.flow{opacity:.38}.flow:hover{opacity:.7}",
    ".k0{stroke:var(--c0);background:var(--c0)}.k1{stroke:var(--c1);background:var(--c1)}.k2{stroke:var(--c2);"
    "background:var(--c2)}"
    ".k3{stroke:var(--c3);background:var(--c3)}.k4{stroke:var(--c4);background:var(--c4)}.k5{stroke:var(--c5);"
    "background:var(--c5)}"
    ".k6{stroke:var(--c6);background:var(--c6)}.k7{stroke:var(--c7);background:var(--c7)}.dash{stroke-dasharray:6 4}"
    ".key i.dash{background-image:repeating-linear-gradient(90deg,transparent 0 6px,var(--bg) 6px 10px)}"
    ".f0{fill:var(--c0)}.f1{fill:var(--c1)}.f2{fill:var(--c2)}.f3{fill:var(--c3)}.f4{fill:var(--c4)}.f5{fill:var(--"
    "c5)}"
    ".f6{fill:var(--c6)}.f7{fill:var(--c7)}.r0{fill:var(--t0);background:var(--t0)}.r1{fill:var(--t1);background:var("
    "--t1)}"
    ".r2{fill:var(--t2);background:var(--t2)}.r3{fill:var(--t3);background:var(--t3)}.idle{fill:var(--line)}",
    "@media screen and (max-width:36rem){.alt,.wide{display:none}.phone{display:block}table{min-width:0}tbody "
    "th{white-space:normal}}",
    "@media print{.pair.two{grid-template-columns:2.4fr "
    "1fr}body{font-size:10.5pt;max-width:none;padding:0}h2,.note{break-after:avoid}figure,tr,.verdict li,.tiles "
    "div{break-inside:avoid}"
    ".scroll{overflow:visible;background:none}"
    ".curves{display:grid;grid-template-columns:1fr 1fr;column-gap:1rem}.curves .pair{zoom:.75}"
    ".draw{min-width:0}.wide{max-height:8.5cm}.verdict{gap:.25rem}.verdict "
    "li{padding-top:.25rem;padding-bottom:.25rem}.tiles{grid-template-columns:repeat(8,1fr);gap:.35rem}.tiles "
    "div{padding:.35rem .4rem}.tiles dt{font-size:.7rem}.tiles dd{font-size:.82rem}.pair "
    ".alt{display:none}thead{break-after:avoid}table{min-width:0;font-size:7.5pt}th,td{padding:.2rem "
    ".16rem}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}",
    NULL};

void wsk_report_digest(const char *text, size_t len, char out[64])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    wsk_sha256 sum;
    unsigned char hash[WSK_SHA256 + 1] = {0};
    wsk_sha256_start(&sum);
    wsk_sha256_add(&sum, text, len);
    wsk_sha256_end(sum, hash);
    char *o = out;
    memcpy(o, "sha256-", 7);
    o += 7;
    for (int i = 0; i < 33; i += 3) {
        uint32_t v = (uint32_t)hash[i] << 16 | (uint32_t)hash[i + 1] << 8 | (i + 2 < 33 ? hash[i + 2] : 0u);
        for (int k = 18; k >= 0; k -= 6)
            *o++ = letters[v >> k & 63];
    }
    o[-1] = '=';
    *o = '\0';
}
