"""The same start in Firefox and in WebKit, each with a new process for every start."""

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.webdriver import WebDriver

from tests.bench.start_up.hosts import HOSTS, WITH_BROTLI
from tests.bench.start_up.result import Found, RefusedError, checked
from tests.bench.start_up.rounds import ON_OTHER_HOSTS
from tests.bench.start_up.sides import OURS, SIDES, TOLD, Side
from tests.bench.start_up.visit import SECONDS, address, in_page
from tests.engines.drivers import ENGINES, MissingError, started
from tests.server import StaticServer

AS_READERS_HAVE_IT: dict[str, str] = {}  # with all compilers
COME_TO_REST = "setTimeout(arguments[0], 1000)"
FROM_CLICK = "window.bench.fromClick().then(arguments[0], (error) => arguments[0](String(error)))"


def measure(server: StaticServer, found: Found, rounds: int) -> dict[str, str]:
    """Cold starts of ours and of stock, in turns; the engines' versions."""
    server.packing = HOSTS[WITH_BROTLI]
    versions = {}
    for engine in ENGINES:
        try:
            for _ in range(rounds):
                for side in SIDES:
                    if side.name in ON_OTHER_HOSTS:
                        versions[engine] = start(server, found, engine, side)
        except (MissingError, RefusedError, WebDriverException) as error:
            found.left_out[engine] = str(error).splitlines()[0]
    return versions


def start(server: StaticServer, found: Found, engine: str, side: Side) -> str:
    """One cold start; the engine's version."""
    with started(engine, AS_READERS_HAVE_IT) as driver:
        driver.set_script_timeout(SECONDS)
        driver.get(address(server, side))
        driver.execute_script(in_page(side))
        driver.execute_async_script(COME_TO_REST)
        milliseconds = driver.execute_async_script(FROM_CLICK)
        path = checked(side.path, ran(driver, side), [])
        found.add(
            "cold",
            float(milliseconds),
            since="click",
            browser=engine,
            host=WITH_BROTLI,
            side=side.name,
            path=path,
        )
        return str(driver.capabilities["browserVersion"])


def ran(driver: WebDriver, side: Side) -> str:
    """What ran for the result that the page shows."""
    if side.ours:
        return str(driver.execute_script(f"return {OURS}"))
    told = TOLD.search(str(driver.execute_script("return window.bench.text()")))
    return told[0] if told else ""
