"""A headless Chromium, driven over its DevTools protocol: two pipes, no further library."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from contextlib import contextmanager

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium():
    """The browser's program; None if there is none."""
    named = os.environ.get("ALTFS_CHROMIUM")
    return named or next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def quiet_browser(folder, url=None, width=1200, height=900):
    """Yield a browser, on a page if there is one; at its end it has nothing to complain of.

    Nothing was printed, thrown or refused, and of a page nothing further was asked for.
    """
    started = Chromium(folder / "profile")
    try:
        started.resize(width, height)
        if url is not None:
            started.open(url)
        yield started
        assert started.complaints() == [], started.complaints()
        assert url is None or started.requests() == [url]
    finally:
        started.close()


class Chromium:
    """A browser with one tab, which takes note of everything that it reports."""

    def __init__(self, folder, *options):
        to_browser, write_end = os.pipe()
        read_end, from_browser = os.pipe()
        self._out, self._in = write_end, read_end

        # Chromium reads commands from 3 and writes answers to 4. The last of the four pipes' ends
        # is never 3.
        arguments = [
            "bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash",
            find_chromium(), "--headless", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--remote-debugging-pipe",
            f"--user-data-dir={folder}", *options, "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(
            arguments, pass_fds=(to_browser, from_browser), start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._last, self._session = b"", 0, None
        self.events = []
        [tab] = [
            t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"
        ]  # fmt: skip
        attached = self.call("Target.attachToTarget", targetId=tab["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def call(self, method, **parameters):
        """The answer to a command; what comes in the meantime is noted in `events`."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def _next(self, seconds=120):
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], seconds)[0]:
                raise TimeoutError("The browser says nothing.")
            self._buffer += os.read(self._in, 1 << 20)
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def run(self, expression):
        """The value of a JavaScript expression; a promise is waited for."""
        found = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["exception"]["description"])
        return found["result"].get("value")

    def wait_for(self, condition, seconds=60):
        """Wait until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(f"Boolean({condition})"):
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {condition}")
            time.sleep(0.05)

    def write(self, field, text):
        """Write a text into a field, named by a CSS selector."""
        self.run(f"""(field => {{
            field.value = {json.dumps(text)};
            field.dispatchEvent(new Event('input'));
        }})(document.querySelector({json.dumps(field)}))""")

    def choose(self, form, **wanted):
        """Choose values of the fields of a form, named by a CSS selector."""
        self.run(f"""(form => {{
            for (const [name, value] of Object.entries({json.dumps(wanted)})) {{
                form.elements[name].value = value;
            }}
            form.dispatchEvent(new Event('change'));
        }})(document.querySelector({json.dumps(form)}))""")

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait_for("document.readyState === 'complete'")

    def resize(self, width, height, phone=False):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=phone,
        )  # fmt: skip

    def prefer(self, scheme, media=""):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)

    def press(self, key, code=0, text=""):
        """Press a key as somebody at a keyboard would."""
        common = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def complaints(self):
        """Return the messages of the page to the console, its errors, and refused requests."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.consoleAPICalled":
                found.append(
                    str([a.get("value", a.get("description")) for a in parameters["args"]])
                )
            elif method == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"]))
            elif method == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
        return found

    def requests(self):
        """Everything that was asked for, data inside the page aside."""
        urls = [
            event["params"]["request"]["url"]
            for event in self.events
            if event.get("method") == "Network.requestWillBeSent"
        ]
        return [url for url in urls if not url.startswith("data:")]
