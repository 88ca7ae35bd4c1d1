"""A key that is removed is refused by every version, without a deployment."""

import subprocess
import time

import pytest
from expand import Stack
from test_release import CONTACT

# The function reads its secrets again after ten seconds here.
REFUSED_DEADLINE_S = 60


@pytest.fixture(scope="module")
def keys(deployed, project):
    """The function accepts API keys. There are two versions that do."""
    deployed.update(**{**Stack().values, **CONTACT, "ContactAuth": "bearer", "Architecture": "x86_64", "ApiKeys": "on"})
    older = deployed.version
    deployed.update(LogLevel="debug")
    assert deployed.version != older
    return Keys(deployed, project), older


class Keys:
    def __init__(self, deployed, project):
        self.deployed, self.project = deployed, project
        self.ssm = deployed.account.client("ssm")

    def new(self, name):
        """A key for a caller, and its entry, from the function's own program."""
        done = subprocess.run([str(self.project.folder / "bootstrap"), "new-key", name],
                              capture_output=True, text=True, check=True, timeout=30)
        lines = [line.strip() for line in (done.stdout + done.stderr).splitlines()]
        (entry,) = [line for line in lines if line.startswith(f"{name} sha256:")]
        (key,) = [word for line in lines if line != entry for word in line.split() if len(word) >= 40]
        return key, entry

    def write(self, *entries):
        self.ssm.put_parameter(
            Name="/portfolio/api-keys", Type="SecureString", Overwrite=True, Value="\n".join(entries))

    def status(self, key, version="live"):
        """Of a call that needs a credential. It lacks its arguments, so that nothing is sent."""
        return self.deployed.call("contact", key=key, qualifier=version)[0]

    def await_status(self, wanted, key, version):
        deadline = time.monotonic() + REFUSED_DEADLINE_S
        while (status := self.status(key, version)) != wanted:
            assert time.monotonic() < deadline, f"still {status} on {version}"
            time.sleep(0.5)


def test_a_revoked_key_is_refused_on_every_version(keys):
    keys, older = keys
    (first, entry), (second, other) = keys.new("ada"), keys.new("ada")
    (third, third_entry) = keys.new("bob")
    keys.write(entry, third_entry)
    live = keys.deployed.version
    for version in ("live", older):
        keys.await_status(200, first, version)
        assert keys.status(third, version) == 200
        assert keys.status(second, version) == 401, "a key without an entry"
    # The change to another key: for a while both are accepted.
    keys.write(entry, other, third_entry)
    for version in ("live", older):
        keys.await_status(200, second, version)
        assert keys.status(first, version) == 200
    keys.write(other, third_entry)
    for version in ("live", older):
        keys.await_status(401, first, version)
        assert keys.status(second, version) == 200
        assert keys.status(third, version) == 200
    assert keys.deployed.version == live, "nothing was deployed"


def test_no_version_has_a_key_in_its_configuration(keys):
    keys, _ = keys
    versions = keys.deployed.lambda_.list_versions_by_function(FunctionName=keys.deployed.function)["Versions"]
    assert len(versions) > 3
    assert "sha256:" not in str(versions)
